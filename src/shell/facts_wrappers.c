/*
 * facts_wrappers.c: programs whose business is to run another one. The number at the end says
 * where that one begins: 1 + the operands in front of it. Elevation asks whatever it elevates.
 */
#include "base/base.h"
#include "shell/classifier.h"

#define SHELL_OPTIONS                                                                           \
    "-befhilmnprstuvxBCDEHPTc -a+ -k+ -o= -O= --login --norc --noprofile --posix --restricted " \
    "--verbose --rcfile=! --init-file=! --debugger+ --dump-strings --noediting --emulate= "     \
    "--no-rcs --init-command=!"

/* clang-format off */
static const struct sf_fact rows[] = {
    { "sudo|sudo-rs|doas|pkexec|gksudo|gksu|kdesudo|dzdo|run0|please|pfexec|calife|super|su|"
      "runuser|sudoedit|runas|gosu|su-exec|machinectl-shell|setpriv|capsh|newuidmap", NULL, NULL,
      DEL, "elevation", "-ABbEHiKklnPSsVv -u= -g= -c=$ -C= -D= -h= -p= -R= -r= -t= -T= -U= -l -m "
      "--user= --group= --command=$ --login --shell= --preserve-env? --chdir= --host= --prompt= "
      "--close-from=", sf_classify_env, 1 },
    { "sh|bash|dash|zsh|ksh|ksh93|mksh|pdksh|ash|rbash|rzsh|yash|posh|csh|tcsh|oksh|loksh|osh|ysh|"
      "hush|rc|es|bash5|bash4|zsh-*|bash-*", NULL, NULL, RO, NULL,
      SHELL_OPTIONS, sf_classify_shell, 1 },
    { "fish|elvish|xonsh|nu", NULL, NULL, BT, "shell-text", "-ilnNPp -c=$ -C=$ -e=$ --command=$ "
      "--commands=$ --init-command=$ --execute=$ --login --interactive --no-config --private "
      "--norc --config=! --env-config=! --rc=! --plugins=!", sf_classify_other_shell, 1 },
    { "env|genv", NULL, NULL, RO, NULL, "-0iv -u= -C=^ -S=$ -a= -P=! --null --ignore-environment "
      "--unset= --chdir=^ --split-string=$ --argv0= --block-signal? --default-signal? "
      "--ignore-signal? --debug", sf_classify_env, 1 },
    { "command", NULL, NULL, RO, NULL, "-pvV", sf_classify_command, 1 },
    { "fakeroot", NULL, NULL, RO, NULL, "-uvh -l=! -s=> -i=< -b= --lib=! --faked=! --unknown-is-real "
      "--version --help", sf_classify_run_or_shell, 1 },
    { "linux32|linux64|i386|x86_64|uname26|setarch|torsocks|dbus-run-session", NULL, NULL,
      RO, NULL, "-vqZRXBITLS3 --verbose --3gb --4gb --32bit --addr-no-randomize "
      "--show --list", sf_classify_run_or_shell, 1 },
    { "ssh-agent", NULL, NULL, BT, "process", "-csDd -a= -E= -t= -k# -P=", sf_classify_run, 1 },
    { "numactl", NULL, NULL, RO, NULL, "-Hsalb -i= -N= -m= -C= -p= -P= -w= --hardware --show --all "
      "--localalloc --balancing --interleave= --cpunodebind= --membind= --physcpubind= --preferred= "
      "--weighted-interleave= --preferred-many=", sf_classify_run, 1 },
    { "builtin|nohup|chronic|ifne|eatmydata|nocache|nosync|noglob|nocorrect|catchsegv|"
      "torify|tsocks|setsid|unbuffer|s6-setsid|tini|dumb-init", NULL, NULL, RO, NULL,
      "-cfwqgpv --ctty --fork --wait --", sf_classify_run, 1 },
    { "proxychains|proxychains4", NULL, NULL, RO, NULL, "-q -f=<", sf_classify_run, 1 },
    { "ccache|sccache|distcc|icecc", NULL, NULL, RO, NULL, "-spxv -k= --show-stats --show-config "
      "--show-compression --get-config= --verbose --version", sf_classify_run, 1 },
    { "bear|scan-build|intercept-build", NULL, NULL, BT, "tracer", "* -o=> --output=> --cdb=> "
      "--config=!", sf_classify_run, 1 },
    { "tsp", NULL, NULL, BT, "process", NULL, sf_classify_run, 1 },
    { "time|gtime", NULL, NULL, RO, NULL, "-apvqlh -f= -o=> --append --format= --output=> "
      "--portability --quiet --verbose", sf_classify_run, 1 },
    { "nice|gnice", NULL, NULL, RO, NULL, "-0 -n= --adjustment=", sf_classify_run, 1 },
    { "ionice", NULL, NULL, RO, NULL, "-t -c= -n= -p=+ -P=+ -u=+ --class= --classdata= --ignore "
      "--pid= --pgid= --uid=", sf_classify_run, 1 },
    { "stdbuf|gstdbuf", NULL, NULL, RO, NULL, "-i= -o= -e= --input= --output= --error=",
      sf_classify_run, 1 },
    { "strace|ltrace|dtruss|truss|ktrace", NULL, NULL, BT, "tracer",
      "-cCdfFhiknqrStTvVwxyYzZDL -0 -a= -A= -b= -D= -e= -E= -I= -l= -n= -o=> -O= -p=# -P= -s= "
      "-S= -u=# -U= -x= -X= --trace= --output=> --attach=# --follow-forks --summary-only "
      "--summary --string-limit=", sf_classify_run, 1 },
    { "valgrind|heaptrack|rr|catchsegv|callgrind|massif-visualizer|qemu-user|box64|box86|"
      "umockdev-run", NULL, NULL, BT, "tracer", "* --log-file?> --xml-file?> "
      "--callgrind-out-file?> --cachegrind-out-file?> --massif-out-file?> --dhat-out-file?> "
      "--output?>", sf_classify_run, 1 },
    { "rlwrap|caffeinate|xvfb-run|dbus-launch|systemd-inhibit|gnome-session-inhibit|firejail|"
      "bwrap|proot|fakechroot|mispipe|uclampset|prlimit|choom|dotenv|dotenvx|chamber|"
      "aws-vault|doppler|infisical|envchain|with-contenv|cgexec|cpulimit|softlimit|envdir|"
      "setlock|setuidgid|chpst|gdbserver|lldb-server|compiledb|expect_unbuffer|entr|reflex|"
      "nodemon|watchexec|retry|wait-for-it|wait-for-it.sh|dockerize|semaphore|sem|run-parts|"
      "logsave|pexec|grc|gtester|cpulimit-cmd|nsjail|minijail0|pv|daemonize-run|with-lock-ex|"
      "lckdo|run-one|run-one-constantly|keychain|tsocks-run|libtool|crash", NULL, NULL, BT,
      "tracer", "--exec=$ -x=$", sf_classify_anywhere, 0 },
    { "exec", NULL, NULL, RO, NULL, "-cl -a=", sf_classify_exec, 1 },
    { "timeout|gtimeout|runwithtimeout|taskset|chrt|setlock|fakerun|ts|faketime|datefudge|"
      "with|cset|schedtool", NULL, NULL, RO, NULL, "-vfmabdioprRTPDeh -0 -k= -s= --kill-after= "
      "--signal= --foreground --preserve-status --verbose --cpu-list --pid --batch --idle --fifo "
      "--rr --other --max --all-tasks", sf_classify_run, 2 },
    { "flock", NULL, NULL, RO, NULL, "-ensuxoFv -w= -E= -c=$ --exclusive --shared --nonblock "
      "--nb --unlock --wait= --timeout= --conflict-exit-code= --close --command=$ --no-fork "
      "--verbose", sf_classify_flock, 2 },
    { "nsenter|unshare|chroot|arch-chroot|schroot|pivot_root|switch_root|systemd-nspawn|"
      "lxc-attach|lxc-execute|ip-netns|runc|crun|ctr|toolbox|distrobox|jexec|jail", NULL, NULL,
      DEL, "namespace", NULL, sf_classify_wrapped, 1 },
    { "busybox|toybox|coreutils|sbase-box|ubase-box|uutils", NULL, NULL, RO, NULL,
      "--list --list-full --install#  --coreutils-prog= --coreutils-prog-shebang=",
      sf_classify_applet, 1 },
    { "xargs|gxargs", NULL, NULL, RO, NULL, "-0oprtx -a=< -d= -E= -e? -I= -i? -J= -L= -l? -n= "
      "-P= -R= -S= -s= --null --arg-file=< --delimiter= --eof? --replace? --max-lines? "
      "--max-args= --max-procs= --max-chars= --interactive --no-run-if-empty --verbose --exit "
      "--open-tty --process-slot-var= --show-limits", sf_classify_xargs, 1 },
    { "parallel|parallel-moreutils|rush|env_parallel", NULL, NULL, BT, "parallel",
      "-0kqtuXmrvN -j= -n= -N= -I= -a=< -d= -S=@ -C= -s= -L= -P= -i= -l= --jobs= --keep-order "
      "--no-notice --will-cite --bar --progress --eta --dry-run --joblog=> --results=> "
      "--sshlogin=@ --sshloginfile=@ --tag --tagstring= --colsep= --arg-file=< --delay= "
      "--timeout= --retries= --halt= --halt-on-error= --line-buffer --group --ungroup --pipe "
      "--block= --null --verbose --shuf --memfree= --load= --nice= --wd= --tmpdir= --env= "
      "--max-args= --link --xapply --header= --rpl= --plus --transfer@ --return=@ --cleanup@",
      sf_classify_parallel, 1 },
    { "watch|gwatch|viddy|hwatch", NULL, NULL, RO, NULL, "-bcdegprtwx -n= -q= -s= --interval= "
      "--differences? --no-title --color --beep --errexit --chgexit --precise --exec --no-wrap "
      "--equexit=", sf_classify_joined, 1 },
    { "script|scriptlive", NULL, NULL, ED, "write", "-aefqt -c=$ -O= -I= -B= -T= -E= -o= -m= "
      "--command=$ --quiet --return --append --flush --log-out=> --log-in=> --log-io=> --timing?",
      sf_classify_script, 1 },
    { "typescript|expect|autoexpect|empty|dialog|asciinema|ttyrec|termtosvg|ttystudio", NULL,
      NULL, BT, "terminal", "-c=! --command=!", NULL, 0 },
    { "hyperfine|pee|concurrently|multitime|run-s|run-p|npm-run-all|wireit|chokidar|onchange|"
      "watchman-make|just-watch", NULL, NULL, BT, "runs-text",
      "-wmMrpPiNLsSn -w= -m= -M= -r= -p=$ -c=$ -s=$ -n= -L= -P= -k= -D= --warmup= --runs= "
      "--min-runs= --max-runs= --prepare=$ --cleanup=$ --setup=$ --conclude=$ --shell= "
      "--export-json=> --export-markdown=> --export-csv=> --names= --kill-others --prefix= "
      "--command=$ --success= --ignore-failure --style= --parameter-list= --initial= ",
      sf_classify_each, 0 },
    { "fzf|sk|skim|fzy|peco", NULL, NULL, BT, "terminal", "* --preview=$ --bind=! --listen?@ "
      "--history=> --become=$ --cmd=$ -c=$", NULL, 0 },
    { "gdb|lldb|cgdb|ddd|pdb|ipdb|rust-gdb|rust-lldb|gdb-multiarch", NULL, NULL, BT, "debugger",
      "/ -ex= -eval-command= -iex=! -x=! -ix=! -command=! -init-command=! -o=! -O=! -s=! -S=! "
      "-k=! -one-line=! -source=! -batch-silent -batch -p=# -pid=# -q -quiet -nx -args",
      sf_classify_debugger, 0 },
    { "perf|bpftrace|bpftool|trace-cmd|stap|dtrace|sysdig|uftrace|ftrace|vtune|instruments|"
      "samply|flamegraph|cargo-flamegraph", NULL, NULL, BT, "tracer", NULL, sf_classify_anywhere, 0 },
    { "direnv", "", NULL, BT, "tracer", NULL, NULL, 0 },
    { "direnv", "exec", NULL, BT, "runs-script", NULL, sf_classify_tail, 0 },
    { "direnv", "allow|permit|grant", NULL, DEL, "trust", NULL, NULL, 0 },
    { "nix-shell|nix|guix|devbox|flox|pixi|hatch|conda-run|micromamba|mise|asdf|rtx|nvm|fnm|"
      "volta|pyenv|rbenv|sdk|goenv|jenv|n|nodenv|proto|spack|module", "", NULL, BT,
      "environment", "--run=$ --command=$ -c=$ --init-command=$", sf_classify_env_manager, 0 },
    { "start-stop-daemon|daemonize|daemon|svc|s6-svc|supervise|runsv|systemd-notify", NULL, NULL,
      DEL, "service", NULL, NULL, 0 },
};
/* clang-format on */

const struct sf_facts sf_facts_wrappers = { rows, SF_COUNT(rows) };
