/*
 * facts_network.c: programs that talk to other hosts. Whoever resolves a name sends that name
 * away, so even ping is network. Requests that delete and listeners that start programs ask.
 */
#include "base/base.h"
#include "shell/classifier.h"

/* clang-format off */
static const struct sf_fact rows[] = {
    { "curl|curlie|hurl|curl.exe", NULL, NULL, NET, "network",
      "-0aBfgGiIjJkLlMnNOpqRsSvVZ46#1239 -A= -b=< -c=> -C= -d= -D=> -e= -E= -F= -H= -K=# -m= "
      "-o=> -P= -Q= -r= -T= -t= -u= -U= -w= -x= -X= -y= -Y= -z= --url= --request= --data= "
      "--data-raw= --data-binary= --data-ascii= --data-urlencode= --json= --form= --form-string= "
      "--upload-file= --header= --user= --user-agent= --referer= --cookie= --cookie-jar=> "
      "--output=> --output-dir=> --remote-name --remote-name-all --remote-header-name "
      "--create-dirs --dump-header=> --trace=> --trace-ascii=> --stderr=> --config=# "
      "--write-out= --max-time= --connect-timeout= --retry= --retry-delay= --retry-max-time= "
      "--retry-all-errors --proxy= --cacert= --capath= --cert= --key= --resolve= --connect-to= "
      "--interface= --limit-rate= --max-redirs= --compressed --location --silent --show-error "
      "--fail --fail-with-body --head --include --insecure --verbose --get --globoff --http1.1 "
      "--http2 --http3 --ipv4 --ipv6 --netrc --netrc-file= --oauth2-bearer= --aws-sigv4= "
      "--range= --time-cond= --unix-socket= --next --parallel --parallel-max= --progress-bar "
      "--no-progress-meter --tlsv1.2 --tlsv1.3 --proto= --ciphers= --mail-from= --mail-rcpt= "
      "--quote=# --ftp-create-dirs --libcurl=> --hsts=> --alt-svc=> --etag-save=> "
      "--etag-compare=< --engine=! --negotiate --ntlm --digest --basic --anyauth "
      "--location-trusted --post301 --variable= --expand-*= --form-escape --rate= --doh-url= "
      "--dns-servers= --ssl-reqd --haproxy-protocol --path-as-is --remove-on-error "
      "--skip-existing --xattr", sf_classify_curl, 0 },
    { "wget|wget2", NULL, NULL, NET, "network", "-bcdEFgHKkLmNnpqrSvVx46 -0 -A= -a=> -B= -D= "
      "-e=! -G= -i=< -I= -l= -o=> -O=> -P=> -Q= -R= -t= -T= -U= -w= -X= -Y= -nv -nc -nd -np -nH "
      "-nc --output-document=> --output-file=> --directory-prefix=> --append-output=> "
      "--execute=! --config=! --use-askpass=! --post-data= --post-file=< --body-data= "
      "--body-file=< --method= --header= --user= --password= --user-agent= --input-file=< "
      "--quiet --no-verbose --continue --tries= --timeout= --spider --no-check-certificate "
      "--recursive --mirror --level= --accept= --reject= --no-parent --page-requisites "
      "--convert-links --save-cookies=> --load-cookies=< --content-disposition --server-response "
      "--limit-rate= --show-progress --referer= --warc-file=> --wait= --no-clobber "
      "--timestamping --progress= --max-redirect= --delete-after# --cut-dirs= "
      "--no-host-directories --use-server-timestamps", sf_classify_wget, 0 },
    { "http|https|httpie|xh|xhs|ht|aria2c|axel|lynx|w3m|links|elinks|links2|youtube-dl|yt-dlp|"
      "gallery-dl|you-get|ab|wrk|siege|hey|vegeta|bombardier|oha|grpcurl|evans|websocat|wscat|"
      "mosquitto_pub|mosquitto_sub|mqttx|kcat|kafkacat|amqp-*|stomp|ipfs|transmission-*|"
      "rtorrent|snarf|prozilla|puf|httping|postman|insomnia|httrack|monolith|single-file|"
      "chromium|google-chrome|chrome|firefox|puppeteer", NULL, NULL, NET, "network",
      "-o=> -O=> -d= -X= --output=> --dir=> --exec=! --post-process=! --on-download-complete=! "
      "--on-download-start=! --on-download-error=! --on-bt-download-complete=! "
      "--exec-before-download=! --netrc-cmd=! --editor=! -cmd_script=! -editor=! "
      "--download-archive=>", sf_classify_curl, 0 },
    { "ssh", NULL, "-V", RO, NULL, "-V", NULL, 0 },
    { "ssh|autossh|mosh|dbclient|et|slogin|rsh|rlogin|rexec|plink", NULL, NULL, NET, "network",
      "-46AaCfGgKkMNnqsTtVvXxYy -B= -b= -c= -D= -E=> -e= -F=! -I=! -i= -J= -L= -l= -m= -O= -o= "
      "-P= -p= -Q= -R= -S=! -W= -w= --ssh=! --server=! --predict=", sf_classify_ssh, 1 },
    { "sshpass", NULL, NULL, NET, "network", "-p= -f=< -P= -de v", sf_classify_wrapped, 1 },
    { "scp|pscp|sftp|psftp|rcp|tftp|lftp|ncftp|ncftpput|ncftpget|ftp|cadaver|smbclient|sshfs|"
      "mount.*|curlftpfs|s3fs|bbcp|croc|wormhole|magic-wormhole|ffsend|transfer|portal|"
      "onionshare|warp-cli|syncthing-cli", NULL, NULL, NET, "network",
      "-346ABCpqrTvOR -c= -D=! -F=! -i= -J= -l= -o= -P= -S=! -X= -b=! -B= -R= -s= -e=! -f=! -c= "
      "-U= -N --source=!", sf_classify_transfer, 0 },
    { "rsync|rclone-copy|grsync|lsyncd|csync2|unison|duplicity|bbcp|zsync", NULL,
      "--delete --delete-before --delete-during --delete-delay --delete-after --delete-excluded "
      "--del --remove-source-files --remove-sent-files --force --ignore-existing-delete", DEL,
      "delete", "-avzrlptgoDhPncuxAXHESWqi8IJKLNORUkmdbsTy0 -e= -f= -B= -M= --delete "
      "--delete-before --delete-during --delete-delay --delete-after --delete-excluded --del "
      "--remove-source-files --remove-sent-files --force --exclude= --include= --rsh=", NULL, 0 },
    { "rsync", NULL, NULL, ED, "write", "-avzrlptgoDhPncuxAXHESWqi8IJKNORUmdbsy0 -L: -k: -e=! -f= -B= "
      "-M= -T= --archive --verbose --compress --recursive --links --perms --times --progress "
      "--partial --dry-run --human-readable --stats --exclude= --include= --exclude-from=< "
      "--include-from=< --files-from=; --filter= --rsh=! --rsync-path=! --bwlimit= --checksum "
      "--update --inplace --append --itemize-changes --info= --no-* --numeric-ids --relative "
      "--size-only --sparse --timeout= --port= --password-file= --log-file=> --backup "
      "--backup-dir=> --suffix= --link-dest= --compare-dest= --copy-links: --ignore-existing "
      "--existing --max-size= --min-size= --out-format= --whole-file --omit-dir-times --chmod= "
      "--chown= --quiet --executability --owner --group --no-perms --no-owner --no-group "
      "--daemon@ --mkpath --copy-unsafe-links: --copy-dirlinks: --safe-links --delay-updates --temp-dir= --partial-dir= --no-o --no-g "
      "--no-p --prune-empty-dirs --cvs-exclude --dirs --list-only --hard-links --xattrs --acls "
      "--one-file-system --protect-args --ipv4 --ipv6", sf_classify_copy_hosts, 0 },
    { "nginx|apache2ctl|httpd|apache2", NULL, "=-v -V", RO, NULL, "-vV", NULL, 0 },
    { "nginx|apachectl|apache2ctl|httpd|caddy|haproxy|traefik|squid|varnishd|envoy", NULL,
      "-t -T -v -V -c", BT, "service", "-tTvVqc -c= -f=", NULL, 0 },
    { "nginx|apachectl|apache2ctl|httpd|apache2|haproxy|traefik|squid|varnishd|envoy", NULL,
      NULL, DEL, "service", NULL, NULL, 0 },
    { "nc|ncat|netcat|nc.traditional|nc.openbsd|socat|telnet|openssl-s_client|cryptcat|sbd|"
      "pwncat|rustcat|chisel|ngrok|cloudflared|frpc|frps|bore|localtunnel|lt|inlets|serveo|"
      "stunnel|sslh|caddy|dnsmasq|named|unbound|redis-server|mongod|mysqld|postgres|memcached|"
      "rabbitmq-server|minio|sshd|dropbear|vsftpd|tinyproxy|mitmproxy|mitmdump|mitmweb|"
      "http-server|serve|live-server|browser-sync|json-server|localstack|webhook|shell2http|"
      "gotty|ttyd|wetty|python-http|http.server|SimpleHTTPServer|smtpd|pyftpdlib|twistd|webfsd|"
      "darkhttpd|thttpd|lighttpd|miniserve|simple-http-server|dufs|filebrowser|goexec", NULL,
      NULL, NET, "network", "-e=! -c=! --exec=! --sh-exec=! --lua-exec=! -lvnukzdrtSUCDhw46 -p= "
      "-w= -s= -i= -x= -X= -O= -I= -P= -T= -V= -q= -m= -g= -G=", sf_classify_socket, 0 },
    { "ping|ping6|fping|hping3|arping|traceroute|traceroute6|tracepath|mtr|dig|nslookup|host|"
      "drill|kdig|delv|whois|finger|doggo|dog|q|resolvectl|systemd-resolve|avahi-*|dns-sd|nmap|"
      "masscan|zmap|rustscan|nikto|gobuster|ffuf|dirb|wfuzz|sqlmap|hydra|amass|subfinder|"
      "dnsrecon|dnsenum|nuclei|tcptraceroute|speedtest|speedtest-cli|fast|iperf|iperf3|netperf|"
      "ntpq|snmpwalk|snmpget|ldapsearch|showmount|rpcinfo|nbtscan|smbmap|enum4linux|wpscan|"
      "dnswalk|zdns|massdns|sntp|rdate|adig|ahost", NULL, NULL, NET, "resolves-names",
      "-oN=> -oX=> -oA=> -oG=> --script=! -f=< -iL=<", sf_classify_resolve, 0 },
    { "tcpdump|wireshark|tshark|dumpcap|ngrep|ettercap|bettercap|aircrack-ng|airmon-ng|arpspoof|"
      "dsniff|responder|tcpreplay|scapy|kismet", NULL, NULL, NET, "capture",
      "-w=> -z=! -Z=! -G= -r=< -i= -n -C=", NULL, 0 },
    { "openssl", "", NULL, BT, "crypto", "-engine=! -out=>", NULL, 0 },
    { "openssl", "s_client|s_server|s_time|ocsp|ts|cmp", NULL, NET, "network", NULL, NULL, 0 },
    { "openssl", "version|x509|verify|dgst|sha256|sha1|sha512|md5|rand|base64|enc|asn1parse|req|"
      "rsa|ec|pkey|crl|ciphers|errstr|prime|list|help|speed", NULL, RO, NULL,
      "/ -in=< -noout -text -subject -issuer -dates -fingerprint -serial -enddate -startdate "
      "-sha256 -sha1 -sha512 -md5 -d -base64 -hex -CAfile= -CApath= -modulus -pubkey -pubin "
      "-pubout -inform= -outform= -checkend= -ext= -nameopt= -r -c -binary -a -v -e -b -A "
      "-verify= -signature= -purpose -email -hash -aes-256-cbc -pbkdf2 -k= -pass= -passin= -K= "
      "-iv= -salt -nosalt -out=> -keyout=> -new~ -x509 -nodes -newkey=~ -days= -subj= -key=< "
      "-config=+ -check -engine=! -writerand=> -addext= -conv_form= -param_out -md=", sf_classify_operands_read, 0 },
    { "ssh-keyscan", NULL, NULL, NET, "network", NULL, NULL, 0 },
    { "ssh-add", NULL, "-l -L", RO, NULL, "-lL", NULL, 0 },
    { "ssh-keygen", NULL, "-l -B -F -L", RO, NULL, "-lBLvq -f=< -E= -F= -D=! -w=!", NULL, 0 },
    { "ssh-keygen|ssh-copy-id|ssh-add|age|age-keygen|sops|pass|gopass|op|bw|lpass|keepassxc-cli|"
      "security|secret-tool|gnome-keyring|keyctl|kwallet-query|mkcert|certbot|acme.sh|step|cfssl|"
      "minisign|signify|cosign|rage|ansible-vault|git-crypt|blackbox*|chezmoi|yadm|dotbot|teller|"
      "keyring", NULL, NULL, DEL, "keys", NULL, NULL, 0 },
};
/* clang-format on */

const struct sf_facts sf_facts_network = { rows, SF_COUNT(rows) };
