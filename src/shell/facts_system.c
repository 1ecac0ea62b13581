/*
 * facts_system.c: processes, services, users, packages of the system, kernel and firewall, and
 * the builtins of the shell. Looking is readonly; nearly every change here asks.
 */
#include "base/base.h"
#include "shell/classifier.h"

#define SYSTEMD_OPTIONS                                                                              \
    "-alqrTj -t= -p= -P= -n= -o= -s= -H=@ -M=@ --user --system --global --no-pager --all --type= "   \
    "--state= --full --plain --no-legend --legend= --property= --value --lines= --output= --failed " \
    "--host=@ --machine=@ --address=! --recursive --reverse --after --before "                       \
    "--with-dependencies --quiet --json= --timestamp= --now --acquired --unique --activatable "      \
    "--list --match= --show-machine --no-ask-password --stats --static --transient --pretty "        \
    "--max-addresses= --dry-run"
#define COREDUMP_OPTIONS                                                                              \
    "-1rqa -n= -S= -U= -F= -A= -D=< -o=> --since= --until= --reverse --field= --quiet --all --json= " \
    "--no-pager --no-legend --file=< --directory=< --output=> --debugger=! --debugger-arguments=! "   \
    "--root=< --image=!"

/* clang-format off */
static const struct sf_fact rows[] = {
    /* builtins */
    { "cd|pushd|popd|chdir", NULL, NULL, RO, NULL, "-LPen", sf_classify_cd, 0 },
    { "dirs|shift|return|exit|break|continue|fg|bg|disown|times|caller|ulimit|"
      "logout|suspend|unalias", NULL, NULL, RO, NULL, NULL, NULL, 0 },
    { "set|printenv", NULL, NULL, RO, NULL, NULL, sf_classify_set, 0 },
    { "export|declare|typeset|local|readonly", NULL, NULL, RO, NULL, "-aAfFgiIlnrtuxp -0",
      sf_classify_declare, 0 },
    { "alias", NULL, NULL, RO, NULL, "-p", sf_classify_alias, 0 },
    { "trap", NULL, NULL, RO, NULL, "-lp", sf_classify_trap, 0 },
    { "eval", NULL, NULL, RO, NULL, "", sf_classify_eval, 1 },
    { "source|.", NULL, NULL, BT, "runs-script", "", sf_classify_source, 0 },
    { "bc", NULL, NULL, RO, NULL, "-lqswh -e= -f=< --mathlib --quiet --expression=",
      sf_classify_operands_read, 0 },
    { "units", NULL, NULL, RO, NULL, "-1qstv --terse --verbose", NULL, 0 },
    { "history", NULL, NULL, RO, NULL, "-0 -c# -d=# -a# -w# -r=< -n=< -p -s~", NULL, 0 },
    { "shopt|setopt|unsetopt|emulate", NULL, NULL, BT, "shell-option", NULL, NULL, 0 },
    { "compgen|complete|compopt", NULL, NULL, BT, "shell-option",
      "-C=! -F=+ -W=\" -A= -G= -P= -S= -X= -o= -abcdefgjksuvpr", NULL, 0 },
    { "enable|bind|fc|zmodload|autoload|zle|ztcp|zsocket|sysopen|zcompile|zsystem|zpty|zselect",
      NULL, NULL, DEL, "shell-loader", NULL, NULL, 0 },

    /* looking at the system */
    { "uname|uptime|free|vmstat|iostat|mpstat|ps|pgrep|pidof|pstree|top|htop|btop|lscpu|"
      "lsblk|lsusb|lsmod|lsns|lsipc|lslocks|w|locale|getconf|"
      "slabtop|smem|tload|acpi|sw_vers|system_profiler|vm_stat|lsb_release|"
      "pwdx|ipcs|tput|infocmp|fc-list|xdpyinfo|modinfo|mountpoint", NULL, NULL,
      RO, NULL, NULL, NULL, 0 },
    { "who", NULL, NULL, RO, NULL, "*", sf_classify_operands_read, 0 },
    { "last|lastb", NULL, NULL, RO, NULL, "* -f=< --file=<", NULL, 0 },
    { "lastlog", NULL, NULL, RO, NULL, "* -C# -S# --clear# --set#", NULL, 0 },
    { "blkid", NULL, NULL, RO, NULL, "* -c=> -w=> --cache-file=>", NULL, 0 },
    { "findmnt", NULL, NULL, RO, NULL, "* -F=< --tab-file=<", NULL, 0 },
    { "pmap", NULL, NULL, RO, NULL, "* -n~ -N=> -C=< --create-rc~ --create-rc-to=> "
      "--read-rc-from=<", NULL, 0 },
    { "stty", NULL, NULL, RO, NULL, "-ag --all --save -F=< --file=<", NULL, 0 },
    { "sar|atop", NULL, NULL, RO, NULL, "* -o=> -w=>", NULL, 0 },
    { "lshw", NULL, NULL, RO, NULL, "/ -short -businfo -html -xml -json -quiet -sanitize -numeric "
      "-class= -C= -c= -disable= -enable= -dump=> -X+ -notime", NULL, 0 },
    { "lspci", NULL, NULL, RO, NULL, "* -q@ -Q@", NULL, 0 },
    { "swaplabel", NULL, NULL, RO, NULL, "-L=# -U=# --label=# --uuid=#", NULL, 0 },
    { "date|gdate", NULL, NULL, RO, NULL, "-uR -I? -d= -f=< -r=< -s=# -j -v= -0 -z= --date= "
      "--file=< --iso-8601? --rfc-email --rfc-3339= --rfc-2822 --reference=< --set=# --utc "
      "--universal --debug --resolution", sf_classify_date, 0 },
    { "hostname|domainname|dnsdomainname", NULL, "-f -i -I -d -A --fqdn --long --ip-address",
      NET, "resolves-names", "-fiIdAsay --fqdn --long --ip-address --short", NULL, 0 },
    { "hostname|domainname|dnsdomainname", NULL, NULL, RO, NULL, "-s -y --short",
      sf_classify_hostname, 0 },
    { "dmesg", NULL, NULL, RO, NULL, "-HkLrStTuxwWdeP -l= -f= -c# -C# -D# -E# -n=# --clear# "
      "--read-clear# --human --level= --facility= --follow --ctime --kernel --since= --until= "
      "--color? --nopager --decode --json", NULL, 0 },
    { "journalctl", NULL, NULL, RO, NULL, "-abefkmnqrxuU -0 -u= -n= -p= -o= -S= -t= -b? -g= -D=< "
      "-k -x -e -f -r -q -a --unit= --user-unit= --user --system --since= --until= --lines= "
      "--no-pager --output= --priority= --boot? --follow --reverse --grep= --list-boots "
      "--disk-usage --dmesg --catalog --identifier= --utc --quiet --full --all --header --fields "
      "--directory=< --file=< --vacuum-size=# --vacuum-time=# --vacuum-files=# --rotate# --flush# "
      "--sync --update-catalog#", NULL, 0 },
    { "fuser|ss", NULL, "-k --kill -K", DEL, "kill", "-k -K --kill -i -m -v -n= -a", NULL, 0 },
    { "arp", NULL, "-s -d -f --set --delete --file", DEL, "network-setup",
      "-s -d -f --set --delete --file -n -i=", NULL, 0 },
    { "netstat|arp|route", NULL, "-n --numeric", RO, NULL, "-nrtulpaevcis46 --numeric --tcp "
      "--udp --listening --all --program", NULL, 0 },
    { "lsof", NULL, "-n", RO, NULL, "-nPtlabRU -i? -p= -u= -c= -d= -a -0 -t +D= -F? -s? -T?",
      NULL, 0 },
    { "ss", NULL, NULL, RO, NULL, "-nlatupxmoeis460HO -f= -r@ --resolve@ --numeric --listening "
      "--all --tcp --udp --unix --processes --summary --extended --options --info --memory "
      "--no-header", NULL, 0 },
    { "netstat|arp|route|lsof", NULL, NULL, NET, "resolves-names", NULL, sf_classify_verbs, 0 },
    { "fuser", NULL, NULL, RO, NULL, "-vaumn4 -6", NULL, 0 },
    { "ip", "", NULL, DEL, "network-setup", "-046BbDdhjoprsStc -4 -6 -br -c? -f= --json --brief "
      "--color? --details --oneline --stats --all", NULL, 0 },
    { "ip", "a|addr|address|l|link|r|route|n|neigh|neighbour|rule|netns|maddr|tunnel|monitor|m*",
      NULL, RO, NULL, NULL, sf_classify_ip, 0 },
    { "ifconfig|iwconfig|ethtool|ipconfig", NULL, NULL, RO, NULL, "-as", sf_classify_ifconfig, 0 },
    { "ifconfig|iwconfig|nmcli|networksetup|ethtool|tc|brctl|bridge|wpa_cli|iw|rfkill|netplan|"
      "resolvectl|scutil|ipconfig|nmtui|wg|wg-quick|openvpn|tailscale|zerotier-cli", NULL, NULL,
      DEL, "network-setup", NULL, NULL, 0 },
    { "getent", "", NULL, NET, "resolves-names", NULL, sf_classify_resolve, 0 },
    { "getent", "passwd|group|services|protocols|shadow", NULL, RO, NULL, NULL, NULL, 0 },

    /* processes and services */
    { "kill", NULL, NULL, RO, NULL, NULL, sf_classify_kill, 0 },
    { "pkill|killall|killall5|skill|snice|xkill|taskkill|tskill|fkill|kill-port|stop-process",
      NULL, NULL, DEL, "kill", NULL, NULL, 0 },
    { "renice", NULL, NULL, BT, "process", NULL, NULL, 0 },
    { "shutdown|reboot|poweroff|halt|init|telinit|kexec|systemd-firstboot|pm-suspend|rtcwake",
      NULL, NULL, DEL, "system-state", NULL, NULL, 0 },
    { "systemctl|loginctl|machinectl|hostnamectl|timedatectl|localectl|busctl|networkctl", "", NULL,
      RO, NULL, SYSTEMD_OPTIONS, sf_classify_service, 0 },
    { "systemctl|loginctl|machinectl|hostnamectl|timedatectl|localectl|busctl|networkctl", "status|show|cat|list-*|is-*|get-default|get-property|help|show-environment|"
      "show-*|session-status|user-status|timesync-status|list|tree|info|--version", NULL, RO,
      NULL, SYSTEMD_OPTIONS, NULL, 0 },
    { "coredumpctl", "", NULL, RO, NULL, COREDUMP_OPTIONS, sf_classify_service, 0 },
    { "coredumpctl", "list|info|--version", NULL, RO, NULL, COREDUMP_OPTIONS, NULL, 0 },
    { "service|rc-service|invoke-rc.d|sv|initctl|supervisorctl|monit|pm2|forever|launchctl|"
      "brew-services", NULL, NULL, DEL, "service", NULL, NULL, 0 },
    { "crontab", NULL, "-l", RO, NULL, "-l -u=#", NULL, 0 },
    { "crontab|at|batch|atrm|anacron|systemd-run|schtasks|chkconfig|update-rc.d|rc-update|launchd",
      NULL, NULL, DEL, "persistence", NULL, NULL, 0 },
    { "atq", NULL, NULL, RO, NULL, NULL, NULL, 0 },

    /* users, kernel, firewall */
    { "useradd|userdel|usermod|groupadd|groupdel|groupmod|adduser|deluser|addgroup|delgroup|"
      "passwd|chpasswd|chage|gpasswd|vipw|vigr|visudo|newgrp|chsh|chfn|dscl|pw|newusers|sudoedit|"
      "faillock|pam-auth-update|authconfig|realm|dsimport|net|vipw|pwconv|lchage", NULL, NULL,
      DEL, "users", NULL, NULL, 0 },
    { "insmod|rmmod|modprobe|depmod|kmod|dkms|kextload|kextunload|update-initramfs|dracut|"
      "mkinitcpio|grub-install|update-grub|grub-mkconfig|efibootmgr|bootctl|grubby|flashrom|"
      "fwupdmgr|nvram|csrutil|spctl|bless|mokutil|setpci|chvt|modprobed|ldconfig|"
      "update-alternatives|alternatives|update-ca-certificates|update-ca-trust|trust|"
      "dpkg-reconfigure|debconf-set-selections|locale-gen|hwclock|ntpdate|chronyc|adjtimex|"
      "defaults|reg|regedit|regsvr32|bcdedit|vssadmin|wbadmin|cipher|sc|wmic|pnputil", NULL,
      NULL, DEL, "system", NULL, NULL, 0 },
    { "sysctl", NULL, NULL, RO, NULL, "-aeNnqAXbd -w# -p?# -f?# -r= --all --write# --load?# "
      "--system# --values --names", sf_classify_sysctl, 0 },
    { "ufw|firewall-cmd|nft", "", NULL, DEL, "firewall", NULL, NULL, 0 },
    { "ufw|firewall-cmd|nft", "status|version|show|list", NULL, RO, NULL, NULL, NULL, 0 },
    { "iptables|ip6tables|iptables-legacy|iptables-nft|ebtables|arptables", NULL,
      "-L --list -S --list-rules", RO, NULL, "-LSnvx -t= -L? -S? --list? --list-rules? --table= "
      "--line-numbers --numeric --verbose -A# -D# -I# -F# -X# -P# -Z# -N# -j=#", NULL, 0 },
    { "iptables|ip6tables|iptables-legacy|iptables-nft|iptables-restore|ebtables|arptables|pfctl|"
      "ipfw|fail2ban-client|ipset|shorewall|csf|aa-*|setenforce|apparmor_parser", NULL, NULL,
      DEL, "firewall", NULL, NULL, 0 },
    { "tmux", NULL, "=-V", RO, NULL, "-V", NULL, 0 },
    { "systemd-analyze", "", NULL, RO, NULL, "--user --system --no-pager --json= --order --require",
      sf_classify_service, 0 },
    { "systemd-analyze", "time|blame|critical-chain|dump|dot|plot|verify|calendar|timespan|timestamp|"
      "cat-config|security|syscall-filter|unit-paths|condition|exit-status|capability", NULL, RO, NULL,
      "-q --user --system --no-pager --json= --order --require --quiet --man?+ --generators?+ "
      "--from-pattern= --to-pattern= --fuzz= --iterations= --base-time= --threshold= --root=< "
      "--image=! --profile= --tldr", sf_classify_operands_read, 0 },
    { "screen|tmux|byobu|zellij|dtach|abduco|tmate", NULL, NULL, BT, "terminal",
      "-X=! -c=$ -e=!", sf_classify_terminal, 0 },
    { "xdg-open|open|start|explorer|sensible-browser|x-www-browser|gnome-open|kde-open|osascript|"
      "automator|say|notify-send|wall|write|mesg|xdotool|ydotool|xsel|xclip|pbcopy|pbpaste|"
      "wl-copy|wl-paste|clip", NULL, NULL, BT, "desktop", "-e=!", NULL, 0 },
    { "logger|systemd-cat|mail|mailx|sendmail|mutt|msmtp|swaks|ssmtp|exim|postfix|postqueue|"
      "postsuper|mailq", NULL, NULL, NET, "mail", NULL, NULL, 0 },
    { "lp|lpr|lpadmin|cupsenable|cancel", NULL, NULL, NET, "print", NULL, NULL, 0 },
    { "debconf|dbus-send|gdbus|qdbus|gsettings|dconf|kwriteconfig5|xfconf-query", NULL, NULL,
      DEL, "system", NULL, NULL, 0 },
    { "ldd", NULL, NULL, BT, "toolchain", NULL, NULL, 0 },
    { "wine|wine64|mono|dosbox|qemu-*|virsh|VBoxManage|vboxmanage|multipass|lima|limactl|colima|"
      "vmrun|prlctl|xl|qm|pct|virt-install", NULL, NULL, BT, "virtual-machine", NULL,
      sf_classify_verbs, 0 },
    { "powershell|pwsh|cmd|cscript|wscript|mshta|rundll32|certutil|bitsadmin", NULL, NULL, DEL,
      "foreign-shell", NULL, NULL, 0 },
};
/* clang-format on */

const struct sf_facts sf_facts_system = { rows, SF_COUNT(rows) };
