/*
 * facts_text.c: programs that show, compare and filter text. Most only read; the options that
 * write a file or start a helper are marked. Rows without an option list are programs of which
 * no option does either.
 */
#include "base/base.h"
#include "shell/classifier.h"

/* clang-format off */
static const struct sf_fact rows[] = {
    { "cat|tac|wc|fmt|expand|unexpand|rev|cksum|sum|md5sum|sha1sum|sha224sum|sha256sum|sha384sum|"
      "sha512sum|b2sum|b3sum|md5|shasum|cmp|strings|column|look|colrm|tsort|zcat|bzcat|xzcat|"
      "zstdcat|lz4cat|gzcat|zdiff|colordiff|zcmp|zless|zmore|hexyl|lolcat", NULL, NULL,
      RO, NULL, "* -w= -n= -i= -a= -s= -t= --files0-from=;", sf_classify_operands_read, 0 },
    { "head|tail", NULL, NULL, RO, NULL, "* -n= -c= -s= --lines= --bytes= --pid= --sleep-interval=",
      sf_classify_operands_read, 0 },
    { "cut|paste|join|comm|nl|fold", NULL, NULL, RO, NULL, "* -b= -c= -d= -f= -t= -o= -e= -j= -w= "
      "--bytes= --characters= --delimiter= --delimiters= --fields= --output-delimiter= --width=",
      sf_classify_operands_read, 0 },
    { "od|hexdump|hd", NULL, NULL, RO, NULL, "* -A= -j= -N= -t= -w? -e= -n= -s= -f=< "
      "--address-radix= --skip-bytes= --read-bytes= --format=", sf_classify_operands_read, 0 },
    { "diff", NULL, NULL, RO, NULL, "* -U= -C= -W= -I= -L= -x= -X=< -F= -D= -S= --label= --exclude= "
      "--exclude-from=< --unified? --context? --width= --ignore-matching-lines= --color? "
      "--from-file=< --to-file=< -r: --recursive:", sf_classify_operands_read, 0 },
    { "zgrep|zegrep|zfgrep|bzgrep|xzgrep", NULL, NULL, RO, NULL, "* -e= -f=< -A= -B= -C= -m= "
      "--regexp= --file=< -R: --dereference-recursive:", sf_classify_search, 0 },
    { "ls|dir|vdir|exa|eza|lsd|stat|readlink|realpath|namei|mimetype", NULL, NULL, RO, NULL,
      "* -c= -I= -w= -T= -L: --dereference: --format= --printf= --ignore= --hide= --color? --sort= --time= "
      "--time-style= --width= --relative-to= --relative-base=", sf_classify_operands_listed, 0 },
    { "basename|dirname|pwd|echo|yes|seq|factor|numfmt|expr|true|false|:|sleep|tr|pathchk|cal|ncal|"
      "logname|tty|whoami|id|groups|users|nproc|arch|clear|reset|getopt|errno|ascii|"
      "figlet|banner|usleep", NULL, NULL, RO, NULL, NULL, NULL, 0 },
    { "dircolors", NULL, NULL, RO, NULL, "-bcp --sh --csh --bourne-shell --c-shell "
      "--print-database --print-ls-colors", sf_classify_operands_read, 0 },
    { "test|[|printf|read|unset|let|getopts|wait", NULL, NULL, RO, NULL, NULL,
      sf_classify_subscripts, 0 },
    { "mapfile|readarray", NULL, NULL, RO, NULL, "-t -c= -C=! -d= -n= -O= -s= -u=",
      sf_classify_subscripts, 0 },
    { "grep|egrep|fgrep|rgrep|ggrep", NULL, NULL, RO, NULL,
      "-EFGPivwxcLloqsbHhnTuZzaIrUyV -0 -A= -B= -C= -e= -f=< -m= -D= -d= --color? --colour? "
      "--include= --exclude= --exclude-from=< --exclude-dir= --regexp= --file=< --ignore-case "
      "--no-ignore-case --invert-match --word-regexp --line-regexp --count --files-without-match "
      "--files-with-matches --max-count= --only-matching --quiet --silent --no-messages "
      "--byte-offset --with-filename --no-filename --line-number --label= --initial-tab --null "
      "--after-context= --before-context= --context= --text --binary-files= --devices= "
      "--directories= --recursive --line-buffered --binary --null-data --extended-regexp "
      "--fixed-strings --basic-regexp --perl-regexp -R: --dereference-recursive:",
      sf_classify_search, 0 },
    { "ugrep|ag|ack", NULL, NULL, RO, NULL,
      "-EFGPivwxcLloqsbHhnTuZzaIrRUyV -0 -A= -B= -C= -e= -f=< -m= -D= -d= -g= -t= -W= --color? "
      "--colour? --include= --exclude= --exclude-from=< --exclude-dir= --regexp= --file=< "
      "--ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --count "
      "--files-without-match --files-with-matches --max-count= --only-matching --quiet --silent "
      "--no-messages --byte-offset --with-filename --no-filename --line-number --label= "
      "--initial-tab --null --after-context= --before-context= --context= --text --binary-files= "
      "--devices= --directories= --recursive --line-buffered --binary "
      "--null-data --extended-regexp --fixed-strings --basic-regexp --perl-regexp --hidden "
      "-R: --dereference-recursive: --follow: --nocolor --nogroup --column --depth= --ignore= --smart-case --pager=! --search-zip+ "
      "--filter=! --pre=! --view?! --output=! --save-config# --type= --pretty? --passthru --literal "
      "--python --js --ts --cpp --cc --go --rust --ruby --java --html --css --json --yaml --md "
      "--shell --php", sf_classify_search, 0 },
    { "pcregrep|pcre2grep", NULL, NULL, RO, NULL, "-acFHhiIlLnoqsuvVwxMNOt -r: -0 -A= -B= -C= -e= -f=+ "
      "-m= -D= -d= --color? --colour? --include= --exclude= --exclude-dir= --regexp= --file=+ "
      "--ignore-case --invert-match --count --files-with-matches --line-number --recursive: "
      "--only-matching? --multiline --utf --no-filename --with-filename", sf_classify_callouts, 0 },
    { "rg|ripgrep", NULL, NULL, RO, NULL, "-aFilLnNopPqsSuvVwxcHIUz+ -0 -.? -A= -B= -C= -d= -e= "
      "-E= -f=< -g= -j= -m= -M= -r= -t= -T= -a -F -i -l -n -N -o -p -P -q -s -S -u -v -V -w "
      "-x -c -H -I -U -z+ -L: --after-context= --before-context= --context= --color= --colors= "
      "--column --no-column --count --count-matches --encoding= --engine= --file=< --files "
      "--files-with-matches --files-without-match --fixed-strings --follow: --glob= --heading "
      "--no-heading --hidden --no-hidden --iglob= --ignore-case --ignore-file= --invert-match "
      "--json --line-number --no-line-number --line-regexp --max-columns= --max-count= "
      "--max-depth= --max-filesize= --multiline --multiline-dotall --no-config --no-ignore "
      "--no-ignore-vcs --no-ignore-parent --no-messages --null --only-matching --passthru "
      "--path-separator= --pcre2 --pretty --quiet --regexp= --regex-size-limit= --replace= "
      "--smart-case --case-sensitive --sort= --sortr= --sort-files --stats --text --threads= "
      "--trim --type= --type-add= --type-clear= --type-list --type-not= --unrestricted --vimgrep "
      "--with-filename --no-filename --word-regexp --debug --trace --crlf --one-file-system "
      "--include-zero --field-match-separator= --block-buffered --line-buffered "
      "--glob-case-insensitive --no-ignore-files --no-ignore-global --no-ignore-dot "
      "--no-require-git --max-columns-preview --pre=! --pre-glob= --hostname-bin=! --search-zip+ "
      "--auto-hybrid-regex --mmap --no-mmap", sf_classify_search, 0 },
    { "sort|gsort", NULL, NULL, RO, NULL, "-bdfghiMnRrVcCmsuz -k= -t= -S= -T= -o=> "
      "--ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort "
      "--human-numeric-sort --ignore-nonprinting --month-sort --numeric-sort --random-sort "
      "--random-source=< --reverse --sort= --version-sort --batch-size= --check? "
      "--compress-program=! --debug --files0-from=; --key= --merge --output=> --stable "
      "--buffer-size= --field-separator= --temporary-directory= --parallel= --unique "
      "--zero-terminated", sf_classify_operands_read, 0 },
    { "uniq", NULL, NULL, RO, NULL, "-cdDuiz -0 -f= -s= -w= --count --repeated --all-repeated? "
      "--skip-fields= --group? --ignore-case --skip-chars= --unique --zero-terminated "
      "--check-chars=", sf_classify_second_written, 0 },
    { "ptx", NULL, NULL, RO, NULL, "-AGORfrtC -F= -M= -S= -W= -b= -g= -i= -o= -w= "
      "--auto-reference --traditional --references --ignore-case --width= --gap-size= "
      "--word-regexp= --ignore-file=< --only-file=< --format=", sf_classify_second_written, 0 },
    { "wdiff|dwdiff", NULL, NULL, RO, NULL, "-123insStclL -w= -x= -y= -z= -C= -d= -P= "
      "--no-deleted --no-inserted --no-common --ignore-case --statistics --color? --context= "
      "--delimiters= --punctuation --line-numbers? --less-mode --start-delete= --end-delete= "
      "--start-insert= --end-insert=", sf_classify_operands_read, 0 },
    { "shuf", NULL, NULL, RO, NULL, "-erz -i= -n= -o=> --echo --input-range= --head-count= "
      "--output=> --random-source=< --repeat --zero-terminated", sf_classify_operands_read, 0 },
    { "sed|gsed|ssed", NULL, NULL, RO, NULL, "-nErsuz -e= -f=+ -i?~ -l= --quiet --silent "
      "--expression= --file=+ --in-place?~ --line-length= --posix --regexp-extended --separate "
      "--sandbox --follow-symlinks --debug --unbuffered --null-data", sf_classify_sed, 0 },
    { "awk|gawk|mawk|nawk|original-awk|goawk", NULL, NULL, RO, NULL,
      ". -F= -v= -f=+ -e= -bcCgnNrStOPV -i=+ -E=+ -l=! -o?> -p?> -d?> -D?+ --field-separator= "
      "--assign= --file=+ --source= --posix --re-interval --sandbox --traditional --csv "
      "--include=+ --load=! --exec=+ --dump-variables?> --pretty-print?> --profile?> --debug?+ "
      "--lint? --non-decimal-data --optimize --bignum", sf_classify_awk, 0 },
    { "tee", NULL, NULL, ED, "write", "-aip --append --ignore-interrupts --output-error?",
      sf_classify_tee, 0 },
    { "sponge", NULL, NULL, ED, "write", "-a", sf_classify_operands_written, 0 },
    { "xxd", NULL, NULL, RO, NULL, "-abeEiprud -c= -g= -l= -n= -o= -s= -R=",
      sf_classify_second_written, 0 },
    { "base64|base32|basenc|base58", NULL, NULL, RO, NULL, "-diDnr -w= -b= -o=> -i= --decode "
      "--ignore-garbage --wrap= --output=> --break= --input=< --base64 --base32 --base16 "
      "--base64url --z85", sf_classify_operands_read, 0 },
    { "jq|gojq|jaq", NULL, NULL, RO, NULL, "-nrRsjaScCMeh0 -f=< -L= --raw-output --raw-input "
      "--null-input --slurp --compact-output --color-output --monochrome-output --tab --indent= "
      "--sort-keys --ascii-output --join-output --raw-output0 --unbuffered --stream "
      "--stream-errors --seq --from-file=< --arg= --argjson= --slurpfile= --rawfile= --args "
      "--jsonargs --exit-status --yaml-input --yaml-output", sf_classify_filter, 0 },
    { "dasel", "", NULL, RO, NULL, "-f=< --file=< -r= -w= -p= -s= -v= -t= -n -c -m --read= --write= "
      "--parser= --selector= --value= --type= --plain --colour --compact --multiple --null "
      "-o=> --out=>", NULL, 0 },
    { "dasel", "put|delete", NULL, ED, "write", "-f=> --file=> -r= -w= -p= -s= -v= -t= -o=> --out=> "
      "--read= --write= --parser= --selector= --value= --type=", NULL, 0 },
    { "yq|xq|tomlq", NULL, NULL, RO, NULL, "-reRnNjcCMP -s=~ -i~ -o= -p= -I= -f= "
      "--inplace~ --in-place~ --output-format= --input-format= --raw-output --null-input "
      "--prettyPrint --exit-status --no-doc --unwrapScalar?", sf_classify_filter, 0 },
    { "xmllint|xmlstarlet", NULL, NULL, RO, NULL, "--format --noout --xpath= --schema=@ --valid@ "
      "--html --recover --pretty= --c14n --nonet --encode= --debug --huge --output=> -o=> "
      "--shell+ --noblanks", sf_classify_may_fetch, 0 },
    { "less|more|most|pg|bat|batcat", NULL, NULL, RO, NULL, "-RSXFNiIMmnsePfEKgGcdqrQuUwWAlpz "
      "-x= -t= -T= -k=! -o=> -O=> -b= -h= -j= -y= -D= --log-file=> --LOG-FILE=> --lesskey-file=! "
      "--lesskey-src=! --lesskey-content=! --pager=! --paging= --language= --style= --color= "
      "--theme= --line-range= --plain --number --tabs= --wrap= --highlight-line= --no-pager "
      "--diff --quit-if-one-screen --no-init --RAW-CONTROL-CHARS --chop-long-lines "
      "--LINE-NUMBERS --ignore-case --force --quit-at-eof --squeeze-blank-lines --tag= --tag-file=",
      sf_classify_operands_read, 0 },
    { "man|info|apropos|whatis|pinfo", NULL, NULL, RO, NULL,
      "-kaiIKwWDLdcut7 -0 -f=< -P=! -H?! -X?! -T?! -Z -o=> -C=! -M=< -s= -S= -l=< -e= -p= -m= -L= -R= "
      "--pager=! --html?! --gxditview?! --output=> --config-file=! --all --apropos --whatis "
      "--where --path --local-file --regex --wildcard --names-only --section= --exact --long "
      "--file=<", sf_classify_pages, 0 },
    { "which|whereis|whatis|type|help|locate|plocate|mlocate", NULL, NULL, RO, NULL, NULL, NULL, 0 },
    { "hash|jobs", NULL, NULL, RO, NULL, "-rdltnps -p=! -x!", NULL, 0 },
    { "file|gfile", NULL, NULL, RO, NULL, "-bikLNnprsvz0hIE -m=< -f=; -F= -e= -P= -C~ --brief "
      "--mime --mime-type --mime-encoding --dereference --no-dereference --files-from=; "
      "--magic-file=< --extension --keep-going --special-files --uncompress --separator= "
      "--exclude= --parameter= --raw --print0 --compile~", sf_classify_operands_read, 0 },
    { "nm|objdump|size|readelf|addr2line|c++filt|dwarfdump|otool|pahole", NULL, NULL, RO, NULL,
      "-aAbBCdDfghHlnopPrRsStTuUvVwWxXzegiMGFmjkLNIc -j= -M= -e= -t= -f= --all-headers "
      "--disassemble? --disassemble-all --demangle? --dynamic --extern-only --defined-only "
      "--undefined-only --line-numbers --source --syms --symbols --dyn-syms --sections "
      "--section-headers --headers --file-headers --program-headers --segments --relocs "
      "--private-headers --full-contents --section= --start-address= --stop-address= "
      "--no-show-raw-insn --size-sort --print-size --numeric-sort --format= --radix= --wide "
      "--string-dump= --hex-dump= --notes --all --functions --exe= --inlines --pretty-print "
      "--basenames --plugin=! --debug-dump? --dwarf? --hex --decimal", sf_classify_objects, 0 },
    { "tree", NULL, NULL, RO, NULL, "-adfxpugshDFqNQrtcUvXJiASnCLP0 -l: -R~ -L= -P= -I= -o=> -H= -T= "
      "--dirsfirst --filesfirst --noreport --gitignore --gitfile= --prune --charset= "
      "--filelimit= --matchdirs --ignore-case --si --du --inodes --device --sort= --timefmt= "
      "--info --fromfile --metafirst --help", sf_classify_operands_listed, 0 },
    { "du|df|dust|duf", NULL, NULL, RO, NULL, "* -d= -B= -t= -x -X=< -L: --dereference: --max-depth= --block-size= "
      "--exclude= --exclude-from=< --files0-from=; --threshold= --type= --output? --time? "
      "--time-style=", sf_classify_operands_listed, 0 },
    { "merge", NULL, NULL, RO, NULL, "-AeEpqV -L=", sf_classify_merge, 0 },
    { "sdiff|diff3", NULL, NULL, RO, NULL, "-iEZbWBaAeEmTxX3lsdtw -o=> -w= -L= --output=> "
      "--diff-program=! --ignore-case --width= --merge --text --show-all --suppress-common-lines",
      sf_classify_operands_read, 0 },
    { "pr|iconv", NULL, NULL, RO, NULL, "-adFfJmrTtv -0 -c -l -f= -t= -o=> -h= -w= -W= -n= "
      "--from-code= --to-code= --list --output=> --silent --header=", sf_classify_operands_read, 0 },
    { "split", NULL, NULL, ED, "write", "-dxue -0 -a= -b= -C= -l= -n= -t= --filter=! "
      "--additional-suffix= --bytes= --lines= --line-bytes= --number= --suffix-length= "
      "--numeric-suffixes? --hex-suffixes? --verbose --elide-empty-files",
      sf_classify_second_written, 0 },
    { "csplit", NULL, NULL, ED, "write", "-zkqs -n= -f=> -b= --prefix=> --digits= --quiet "
      "--silent --keep-files --suffix-format= --elide-empty-files", NULL, 0 },
    { "fd|fdfind", NULL, NULL, RO, NULL, "-HIusigFapl01q -L: -0 -E= -e= -t= -S= -d= -j= -c= -o= -x "
      "-X --hidden --no-ignore --unrestricted --case-sensitive --ignore-case --glob --regex "
      "--fixed-strings --absolute-path --list-details --follow: --full-path --print0 --max-depth= "
      "--min-depth= --exact-depth= --exclude= --prune --type= --extension= --size= "
      "--changed-within= --changed-before= --owner= --color= --threads= --max-results= --quiet "
      "--no-ignore-vcs --no-ignore-parent --ignore-file=< --search-path=< --base-directory=^ "
      "--strip-cwd-prefix --and= --exec --exec-batch --format= --path-separator= --batch-size=",
      sf_classify_fd, 0 },
    { "find|gfind|bfs", NULL, NULL, RO, NULL, NULL, sf_classify_find, 0 },
    { "scc", NULL, NULL, RO, NULL, "-acdfhilMnpsvwz -o=> -f= -i= -x= -M= -s= --output=> --format= "
      "--by-file --no-cocomo --no-complexity --exclude-dir= --include-ext= --sort= --wide",
      sf_classify_operands_read, 0 },
    { "shellcheck|yamllint|hadolint|cloc|tokei|sloccount", NULL, NULL, RO, NULL,
      "-xsfaCVehtj -0 -c= -d= -e= -f= -i= -o= -P= -s= -S= -t= --exclude= --include= --format= "
      "--shell= --severity= --color? --external-sources --enable= --norc --wiki-link-count= "
      "--source-path= --check-sourced --no-color --config=< --ignore= --failure-threshold= "
      "--strict --by-file --json --yaml --csv --quiet --sort= --files --type= --exclude-dir= "
      "--include-lang= --extract-with=! --out=> --report-file=>", sf_classify_operands_read, 0 },
    { "ctags|etags|gtags|cscope", NULL, NULL, ED, "write", "* -f=> -o=> -L=; -i=; -R: --recurse?: --output=> --options=+",
      NULL, 0 },
    { "rename|prename|file-rename", NULL, NULL, ED, "write", "-vnfods -0 -e=% -E=% -u= --verbose "
      "--dry-run --no-act --force --no-overwrite --last --all --symlink --nono --fullpath "
      "--filename", sf_classify_rename_files, 0 },
    { "dos2unix|unix2dos|fromdos|todos|mmv|detox", NULL, NULL, ED, "write", NULL,
      sf_classify_operands_written, 0 },
    { "gpg|gpg2", NULL, "--list-keys -k --list-secret-keys -K --verify --fingerprint "
      "--list-packets --version", RO, NULL, "-kKvqa --list-keys --list-secret-keys --verify "
      "--fingerprint --list-packets --version --with-colons --keyid-format= --batch --no-tty "
      "--status-fd= --with-fingerprint --with-subkey-fingerprint --verbose --quiet --keyring=< "
      "--no-default-keyring --trust-model= --photo-viewer=! --auto-key-retrieve@ --options=! "
      "--homedir=! --agent-program=! --dirmngr-program=! --exec-path=! --log-file=> --logger-file=>",
      sf_classify_operands_read, 0 },
    { "gpg|gpg2", NULL, "--delete-keys --delete-secret-keys --delete-secret-and-public-key "
      "--delete-key --export-secret-keys --export-secret-subkeys", DEL, "keys", NULL, NULL, 0 },
    { "gpg|gpg2", NULL, "--recv-keys --recv --send-keys --refresh-keys --search-keys "
      "--locate-keys --fetch-keys", NET, "network", NULL, NULL, 0 },
    { "gpg|gpg2", NULL, NULL, BT, "keys", "-o=> --output=> -d --decrypt -e -s -a -b -c -u= -r= "
      "--batch --yes", NULL, 0 },
};
/* clang-format on */

const struct sf_facts sf_facts_text = { rows, SF_COUNT(rows) };
