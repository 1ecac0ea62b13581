/*
 * facts_files.c: programs that make, move, change, pack and delete files. Every delete asks;
 * what an edit journal or the repository can undo is a local edit as long as it stays inside.
 */
#include "base/base.h"
#include "shell/classifier.h"

/* clang-format off */
static const struct sf_fact rows[] = {
    { "rm|unlink|rmdir|shred|srm|wipe|sfill|sdmem|rimraf|del-cli|trash|trash-put|trash-empty|"
      "trash-rm|gtrash|safe-rm|nix-collect-garbage|docker-gc|docker-clean|scrub|nwipe|del|erase|"
      "rd|deltree|grm|rmtrash|zf_rm|zf_rmdir|zf_*|bleachbit|tmpreaper|tmpwatch|delete|"
      "remove-item|gunlink|grmdir|gshred", NULL, NULL, DEL, "delete", NULL,
      sf_classify_delete, 0 },
    { "gio", "", NULL, BT, "unknown-verb", NULL, NULL, 0 },
    { "gio", "trash|remove", NULL, DEL, "delete", NULL, NULL, 0 },
    { "gio", "list|info|cat|tree|version|help", NULL, RO, NULL, NULL, sf_classify_may_fetch, 0 },
    { "mkdir|gmkdir|mkfifo", NULL, NULL, ED, "write", "-pvZ -m= --parents --verbose --mode= "
      "--context?", sf_classify_operands_written, 0 },
    { "touch|gtouch", NULL, NULL, ED, "write", "-acfhm -d= -r=< -t= --date= --reference=< --time= "
      "--no-create --no-dereference", sf_classify_operands_written, 0 },
    { "mktemp", NULL, NULL, ED, "write", "-duqt -p= --directory --dry-run --quiet --suffix= "
      "--tmpdir?", sf_classify_operands_written, 0 },
    { "mknod", NULL, NULL, DEL, "write-device", NULL, NULL, 0 },
    { "cp|gcp|pcp|xcp", NULL, NULL, ED, "write", "-abdfHilnPpRrsTuvxZ -L: -S= -t=> --archive "
      "--attributes-only --backup? --copy-contents --force --interactive --link --dereference: "
      "--no-clobber --no-dereference --preserve? --no-preserve= --parents --recursive --reflink? "
      "--remove-destination --sparse= --strip-trailing-slashes --symbolic-link --suffix= "
      "--target-directory=> --no-target-directory --update? --verbose --one-file-system",
      sf_classify_copy, 0 },
    { "install|ginstall", NULL, NULL, ED, "write", "-bcCdDpsTv -g=# -m= -o=# -S= -t=> --backup? "
      "--compare --directory --group=# --mode= --owner=# --preserve-timestamps --strip "
      "--strip-program=! --suffix= --target-directory=> --no-target-directory --verbose",
      sf_classify_install, 0 },
    { "mv|gmv|rename.ul", NULL, NULL, ED, "write", "-bfinTuvZ -S= -t=> --backup? --force "
      "--interactive --no-clobber --strip-trailing-slashes --suffix= --target-directory=> "
      "--no-target-directory --update? --verbose", sf_classify_move, 0 },
    { "ln|gln", NULL, "-f --force", DEL, "overwrite", "-bdFfiLnPrsTv -S= -t=> --backup? --directory "
      "--force --interactive --logical --no-dereference --physical --relative --symbolic "
      "--suffix= --target-directory=> --no-target-directory --verbose", sf_classify_link, 0 },
    { "ln|link|gln", NULL, NULL, ED, "write", "-bdFfiLnPrsTv -S= -t=> --backup? --directory "
      "--force --interactive --logical --no-dereference --physical --relative --symbolic "
      "--suffix= --target-directory=> --no-target-directory --verbose", sf_classify_link, 0 },
    { "chmod|gchmod", NULL, NULL, ED, "permissions", "-cfvRrwxXstugoa --changes --silent --quiet "
      "--verbose --recursive --reference=< --preserve-root --no-preserve-root#", sf_classify_chmod, 0 },
    { "chown|chgrp|chattr|setfacl|setcap|chcon|restorecon|semanage|setfattr|icacls|takeown|"
      "attrib|chflags|lchown|setsebool|xattr", NULL, NULL, DEL, "permissions", NULL, NULL, 0 },
    { "lsattr|getfacl|getcap|getfattr", NULL, NULL, RO, NULL, NULL, sf_classify_operands_listed, 0 },
    { "getsebool|sestatus|getenforce|umask", NULL, NULL, RO, NULL, NULL, NULL, 0 },
    { "dd|gdd|dcfldd|ddrescue", NULL, NULL, RO, NULL, NULL, sf_classify_dd, 0 },
    { "truncate|gtruncate", NULL, NULL, ED, "write", "-co -s= -r=< --no-create --io-blocks "
      "--size= --reference=<", sf_classify_truncate, 0 },
    { "fallocate", NULL, NULL, ED, "write", "-nxv -l= -o= -c# -d# -p# -z# -i# --length= "
      "--offset= --keep-size --posix --punch-hole# --zero-range# --collapse-range# --dig-holes#",
      sf_classify_operands_written, 0 },
    { "patch|gpatch", NULL, NULL, ED, "write", "-bcEeflNnRstTuvZ -0 -p= -i=< -d=> -o=> -r=> -B=> "
      "-D= -F= -g=! -V= -Y=> -z= --strip= --input=< --directory=> --output=> --reject-file=> --prefix=> --basename-prefix=> "
      "--dry-run --forward --reverse --force --batch --silent --quiet --backup --verbose "
      "--unified --fuzz= --merge? --ignore-whitespace --no-backup-if-mismatch --posix --binary",
      sf_classify_operands_written, 0 },
    { "tar|gtar|bsdtar", NULL, NULL, RO, NULL, "-cxtruAdvzjJZapkmwlOSWGoUn -h: -0 -f=< -C= -b= -T=; "
      "-X=< -K= -N= -V= -L= -g=> -I=! -F=! -H= -P# -s= --create --extract --get --list --append "
      "--update --diff --compare --catenate --delete# --file=< --directory= --verbose --gzip "
      "--gunzip --bzip2 --xz --zstd --lzma --lzip --lzop --compress --auto-compress --exclude= "
      "--exclude-vcs --exclude-from=< --files-from=; --strip-components= --transform= --xform= "
      "--wildcards --no-recursion --numeric-owner --owner= --group= --mode= --mtime= --sort= "
      "--format= --keep-old-files --skip-old-files --overwrite --overwrite-dir --unlink-first# "
      "--recursive-unlink# --remove-files# --absolute-names# --to-stdout --to-command=! "
      "--checkpoint? --checkpoint-action=! --use-compress-program=! --rsh-command=! "
      "--rmt-command=! --info-script=! --new-volume-script=! --index-file=> "
      "--listed-incremental=> --one-file-system --dereference: --hard-dereference "
      "--preserve-permissions --same-permissions --no-same-owner --no-same-permissions "
      "--same-owner --totals? --show-transformed-names --anchored --null --ignore-failed-read "
      "--touch --xattrs --acls --selinux --force-local --occurrence? --warning= "
      "--no-auto-compress --one-top-level?>", sf_classify_tar, 0 },
    { "cpio", NULL, NULL, ED, "unpack", "-itopvVdumLlaBkcn0 -H= -F=< -I=< -O=> -D=> -E=< --list "
      "--extract --create --quiet --make-directories --no-absolute-filenames --rsh-command=! "
      "--file=< --pass-through --preserve-modification-time", sf_classify_cpio, 0 },
    { "pax", NULL, NULL, ED, "unpack", "-acdDHiklLnPrtuvwXYzjJ0 -b= -B= -E= -f=> -G= -o= -p= -s= "
      "-T= -U= -x=", sf_classify_cpio, 0 },
    { "zip", NULL, NULL, ED, "write", "-qvjyXDoglneFFuz9ATS -r: -R: -@; -0 -x= -i= -b= -t= -d# -m# -T -TT=! "
      "-P= -e -s= -O=> --out=> --recurse-paths: --exclude= --include= --quiet --unzip-command=! --move# "
      "--delete# --test", sf_classify_archive, 0 },
    { "unzip", NULL, "-l -v -t -Z -p -c", RO, NULL, "-lvtZpcqajCLnouX -P= -x= -d=>",
      sf_classify_operands_read, 0 },
    { "unrar", "", NULL, ED, "unpack", "-y -o+ -o- -p= -op=> -ad -inul", sf_classify_unrar, 0 },
    { "unrar", "l|lb|lt|t|p|v|vb|vt", NULL, RO, NULL, NULL, sf_classify_operands_read, 0 },
    { "unzip", NULL, NULL, ED, "unpack", "-qonjaCLXfuVWK -P= -x= -d=>", sf_classify_unzip, 0 },
    { "unar|unace|unlzx|lha|arj|dtrx|aunpack|atool|ouch|unp", NULL, NULL, ED,
      "unpack", "-qqonjaCLXxfuo -P= -x= -d=> -o=> -D", sf_classify_unzip, 0 },
    { "zipgrep", NULL, NULL, RO, NULL, NULL, sf_classify_search, 0 },
    { "zipinfo|lsar|als|funzip", NULL, NULL, RO, NULL, NULL, sf_classify_operands_read, 0 },
    { "7z|7za|7zr|7zz|rar", "", NULL, ED, "write", "-sdel# -df# -p? -o?> -t? -m? -x? -i? -y",
      sf_classify_second_written, 0 },
    { "7z|7za|7zr|7zz|rar", "l|t|lb|lt|v|vt|h", NULL, RO, NULL, NULL, sf_classify_operands_read, 0 },
    { "7z|7za|7zr|7zz|rar", "d", NULL, DEL, "delete", NULL, NULL, 0 },
    { "gzip|gunzip|bzip2|bunzip2|xz|unxz|zstd|unzstd|lz4|unlz4|lzma|unlzma|compress|uncompress|"
      "brotli|pigz|unpigz|lzip|pbzip2|pixz|lzop", NULL, "-l -t --list --test -c --stdout "
      "--to-stdout", RO, NULL, "-cdkltqvfnNr0 -1 -9 -T= --keep --stdout --to-stdout --decompress "
      "--uncompress --list --test --quiet --verbose --force --best --fast --rm# --threads=",
      sf_classify_operands_read, 0 },
    { "gzip|gunzip|bzip2|bunzip2|xz|unxz|zstd|unzstd|lz4|unlz4|lzma|unlzma|compress|uncompress|"
      "brotli|pigz|unpigz|lzip|pbzip2|pixz|lzop", NULL, NULL, ED, "write",
      "-dkfqvnNrz0e -1 -9 -S= -T= -o=> -D=< --keep --decompress --force --quiet --verbose "
      "--recursive --best --fast --threads= --suffix= --rm# --output=> --ultra --long?",
      sf_classify_operands_written, 0 },
    { "ar|ranlib|strip|objcopy|patchelf|install_name_tool|chrpath|lipo|libtool", NULL, NULL, BT,
      "toolchain", NULL, NULL, 0 },
    { "ffmpeg|ffprobe|gs|identify|convert|magick", NULL, "=-version --version", RO, NULL,
      "/ -version", NULL, 0 },
    { "convert|magick|mogrify|identify|ffmpeg|ffprobe|sox|gs|pdftk|qpdf|pandoc|wkhtmltopdf|"
      "inkscape|rsvg-convert|optipng|jpegtran|cwebp|exiftool|gifsicle|pngquant", NULL, NULL, BT,
      "media-tool", "/ -o=> -output=> -outfile=> -lua-filter=+ -filter=+", sf_classify_last_outside, 0 },
    { "lvs|vgs|pvs|lvdisplay|vgdisplay|pvdisplay|lvscan|vgscan|dumpe2fs", NULL, NULL, RO, NULL,
      NULL, NULL, 0 },
    { "fdisk|sfdisk|parted|mdadm|losetup|swapon|gdisk|nvme|cryptsetup|dmsetup|hdparm", NULL,
      "-l --list --show --detail --summary -s", RO, NULL, "-la -l --list --show --all --bytes "
      "--noheadings -s --summary", sf_classify_looks_only, 0 },
    { "mount", NULL, NULL, RO, NULL, "-l -t= -v --show-labels", sf_classify_mount, 0 },
    { "umount|losetup|mkfs|mkfs.*|mke2fs|mkswap|swapon|swapoff|fdisk|sfdisk|cfdisk|gdisk|sgdisk|"
      "parted|partprobe|wipefs|blkdiscard|fsck|fsck.*|e2fsck|resize2fs|tune2fs|xfs_*|hdparm|"
      "sg_format|nvme|badblocks|cryptsetup|lvremove|vgremove|pvremove|lvcreate|vgcreate|pvcreate|"
      "lvresize|lvextend|lvreduce|mdadm|dmsetup|fstrim|diskutil|hdiutil|newfs|gpart|format|"
      "diskpart|debugfs|growpart|partclone.*|fusermount|testdisk|mkdosfs|mkntfs|vgextend|pvmove|"
      "bcache*|dphys-swapfile|isohybrid|ventoy|balena-etcher", NULL, NULL, DEL, "disk", NULL,
      NULL, 0 },
    { "zfs|zpool", "", NULL, DEL, "disk", NULL, NULL, 0 },
    { "zfs|zpool", "list|get|status|history|iostat|version", NULL, RO, NULL, NULL, NULL, 0 },
    { "btrfs", "", NULL, DEL, "disk", NULL, NULL, 0 },
    { "btrfs", "subvolume list,show", NULL, RO, NULL, NULL, NULL, 0 },
    { "btrfs", "filesystem show,df,usage,du", NULL, RO, NULL, NULL, NULL, 0 },
    { "ostree|snapper|timeshift|restic|borg|duplicity|rdiff-backup|rsnapshot|bup|kopia", NULL,
      NULL, BT, "backup", NULL, sf_classify_verbs, 0 },
    { "logrotate|systemd-tmpfiles|tmpfiles", NULL, NULL, DEL, "delete", NULL, NULL, 0 },
    { "fdupes|rdfind|jdupes|rmlint|fslint", NULL, "-d --delete -N --deleteduplicates "
      "-deleteduplicates", DEL, "delete", NULL, NULL, 0 },
    { "stow|unison|lsyncd|syncthing", NULL, NULL, DEL, "write-outside", NULL, NULL, 0 },
};
/* clang-format on */

const struct sf_facts sf_facts_files = { rows, SF_COUNT(rows) };
