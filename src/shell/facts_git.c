/*
 * facts_git.c: git and its relatives, verb by verb. Reads count as readonly because they are run
 * with helpers, pagers, hooks, external diff, text conversion and fsmonitor off; options that
 * would start one of them anyway are marked. A verb nobody lists may be an alias.
 */
#include "base/base.h"
#include "shell/classifier.h"

/* What the commands that show history and differences have in common. */
#define SHOW                                                                                \
    "-0 -abcdpqrstuvwzBMRCDLWSGO0 -U= -S= -G= -O= -l= -n= -L= -M? -C? -B? -X? -i -E -F -P " \
    "-g -m -U? -O? -A= -I= --patch --no-patch --stat? --numstat --shortstat --dirstat? "    \
    "--summary --name-only --name-status --raw --oneline --graph --decorate? "              \
    "--no-decorate --decorate-refs= --all --branches? --tags? --remotes? --author= "        \
    "--committer= --grep= --all-match --invert-grep --since= --after= --until= --before= "  \
    "--max-count= --skip= --format= --pretty? --abbrev? --abbrev-commit "                   \
    "--no-abbrev-commit --date= --follow --full-history --first-parent --merges "           \
    "--no-merges --reverse --topo-order --date-order --author-date-order --left-right "     \
    "--cherry-pick --cherry-mark --cherry --diff-filter= --pickaxe-regex --pickaxe-all "    \
    "--find-renames? --find-copies? --find-copies-harder --no-renames --word-diff? "        \
    "--word-diff-regex= --color-words? --color? --no-color --ignore-space-change "          \
    "--ignore-all-space --ignore-space-at-eol --ignore-blank-lines --ignore-cr-at-eol "     \
    "--unified= --inter-hunk-context= --function-context --minimal --patience --histogram " \
    "--diff-algorithm= --cached --staged --merge-base --no-index --exit-code --quiet "      \
    "--check --full-index --binary --text --textconv+ --no-textconv --ext-diff+ "           \
    "--no-ext-diff --submodule? --ignore-submodules? --src-prefix= --dst-prefix= "          \
    "--no-prefix --relative? --no-relative --no-pager --show-signature+ --notes? "          \
    "--no-notes --show-notes? --output=> --output-indicator-new= --output-indicator-old= "  \
    "--color-moved? --simplify-by-decoration --walk-reflogs --reflog --boundary "           \
    "--ancestry-path? --dense --sparse --stdin --expand-tabs? --encoding= "                 \
    "--patch-with-stat --patch-with-raw --compact-summary --cumulative --base --ours "      \
    "--theirs --cc --combined-all-paths --root --no-commit-id --line-prefix= "              \
    "--ita-invisible-in-index --mailmap --use-mailmap --source --log-size --no-walk? "      \
    "--do-walk --objects --count --parents --children --timestamp --not --glob= "           \
    "--exclude= --no-expand-tabs --full-diff --remove-empty --min-parents= --max-parents= " \
    "--indent-heuristic --diff-merges= --no-diff-merges --extended-regexp --fixed-strings " \
    "--perl-regexp --basic-regexp --regexp-ignore-case --rotate-to= --skip-to= "            \
    "--ws-error-highlight= --anchored= --no-color-moved"

/* clang-format off */
static const struct sf_fact rows[] = {
    { "git", "", NULL, BT, "git-unknown", "-C=^ -c=& -p+ -P --git-dir=^ --work-tree=^ --namespace= "
      "--exec-path?! --no-pager --paginate+ --bare --no-replace-objects --literal-pathspecs "
      "--glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks --no-lazy-fetch "
      "--config-env=! --super-prefix= --list-cmds= --attr-source= --html-path --man-path "
      "--info-path --version --help -v -h", sf_classify_git_odd, 0 },

    { "git", "status|st", NULL, RO, NULL, "-sbuvz -u? -s -b --short --branch --show-stash "
      "--porcelain? --long --verbose --untracked-files? --ignore-submodules? --ignored? "
      "--column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames "
      "--find-renames? --null", NULL, 0 },
    { "git", "add|stage", NULL, ED, "git-edit", NULL, NULL, 0 },
    /* a message may begin with a dash and is no option */
    { "git", "commit|ci", NULL, ED, "git-edit", "* -m= -F= -C= -c= -t= --message= --file= --author= "
      "--date= --template= --trailer=", NULL, 0 },
    { "git", "log|show|diff|whatchanged|shortlog|diff-tree|diff-index|diff-files|rev-list|"
      "range-diff", NULL, RO, NULL, SHOW, sf_classify_git_show, 0 },
    { "git", "format-patch", "--stdout", RO, NULL, SHOW " --stdout -k --keep-subject -N --numbered "
      "--no-numbered --signoff --subject-prefix= --cover-letter --thread? --base= -v= "
      "--output-directory=>", sf_classify_git_history, 0 },
    { "git", "reflog", NULL, RO, NULL, SHOW " --expire=# --expire-unreachable=#",
      sf_classify_git_reflog, 0 },
    { "git", "blame|annotate|praise", NULL, RO, NULL, "-bcflnpstewMC -0 -L= -S= -M? -C? -w "
      "--porcelain --line-porcelain --incremental --show-stats --show-email --show-name "
      "--show-number --date= --since= --reverse --first-parent --root --ignore-rev= "
      "--ignore-revs-file=< --color-lines --color-by-age --abbrev= --contents=< --encoding= "
      "--score-debug --no-progress --progress", sf_classify_git_history, 0 },
    { "git", "grep", NULL, RO, NULL, "-aiIwvhHEGPFnlLzcopWqr -0 -e= -f=< -A= -B= -C= -m= -O?! "
      "--open-files-in-pager?! --cached --no-index --untracked --no-exclude-standard "
      "--exclude-standard --recurse-submodules --text --textconv+ --no-textconv --ignore-case "
      "--max-depth= --recursive --no-recursive --word-regexp --invert-match --full-name "
      "--extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column "
      "--files-with-matches --name-only --files-without-match --null --only-matching --count "
      "--color? --no-color --break --heading --show-function --after-context= --before-context= "
      "--context= --function-context --max-count= --threads= --and --or --not --all-match --quiet",
      sf_classify_git_show, 0 },
    { "git", "rev-parse|describe|name-rev|merge-base|cherry|show-ref|show-branch|ls-files|"
      "ls-tree|for-each-ref|count-objects|check-ignore|check-attr|check-ref-format|check-mailmap|"
      "var|version|verify-pack|get-tar-commit-id|patch-id|column|stripspace|help|"
      "whatchanged|diff-pairs|fmt-merge-msg|show-index|last-modified",
      NULL, RO, NULL, "-abcdefghiklmnopqrstuvxzHB0 -w+ -p -t -e -s -z -x= -X= --all --tags "
      "--always --dirty? --long --abbrev? --match= --exclude= --candidates= --contains "
      "--first-parent --short? --abbrev-ref? --symbolic --symbolic-full-name --verify --quiet "
      "--show-toplevel --git-dir --git-common-dir --absolute-git-dir --is-inside-work-tree "
      "--is-inside-git-dir --is-bare-repository --is-shallow-repository --show-prefix "
      "--show-cdup --show-superproject-working-tree --git-path= --path-format= --branches? "
      "--remotes? --not --revs-only --no-revs --flags --no-flags --default= --sq --sq-quote "
      "--disambiguate= --since= --until= --format= --sort= --count= --points-at= --merged? "
      "--no-merged? --no-contains? --heads --head --hash? --dereference --cached --deleted "
      "--modified --others --ignored --stage --unmerged --killed --directory "
      "--no-empty-directory --exclude-standard --exclude-from=< --exclude-per-directory= "
      "--error-unmatch --full-name --recurse-submodules --eol --deduplicate --name-only "
      "--name-status --object-only --full-tree --long --refs= --name-only --stdin --no-undefined "
      "--batch-check? --path= --is-ancestor "
      "--octopus --independent --fork-point --verbose --human-readable --non-matching --no-index "
      "--source --web+ --man --info --guides --config --list --topo-order --date-order "
      "--sha1-name --more? --current --no-name --topics --color? --shell --perl --python --tcl "
      "--ignore-case --omit-empty --show-object-format? --local-env-vars "
      "--resolve-git-dir= --parseopt --branch --normalize --allow-onelevel --refspec-pattern",
      sf_classify_git_format, 0 },
    { "git", "cat-file", "-e -t -s --batch-check", RO, NULL, "-ets -z --batch-check? "
      "--batch-all-objects --buffer --unordered --follow-symlinks --allow-unknown-type",
      sf_classify_git_format, 0 },
    { "git", "cat-file", NULL, RO, NULL, "-p -z --batch? --batch-check? --batch-all-objects "
      "--batch-command? --buffer --unordered --follow-symlinks --textconv+ --filters+ --path= "
      "--allow-unknown-type", sf_classify_git_history, 0 },
    { "git", "fsck|fsck-objects", NULL, RO, NULL,
      "-v --full --no-full --strict --connectivity-only --unreachable --dangling --no-dangling "
      "--no-reflogs --lost-found~ --progress --no-progress --verbose --root --tags --cache "
      "--name-objects --raw", NULL, 0 },
    { "git", "stash list,show", NULL, RO, NULL, SHOW " --include-untracked --only-untracked",
      sf_classify_git_history, 0 },
    { "git", "stash drop,clear", NULL, DEL, "git-stash-loss", NULL, NULL, 0 },
    { "git", "stash", NULL, ED, "git-edit", "* -m= --message=", NULL, 0 },
    { "git", "branch", "-D -M -f --force -C", DEL, "git-branch-loss",
      "-dDmMcCfarlvqt -a -u= --delete --move --copy --force --all --remotes --list --verbose",
      NULL, 0 },
    { "git", "branch", "-d --delete", ED, "git-edit", "-dDmMcCfarlvqt --delete --force --remotes "
      "--quiet", NULL, 0 },
    { "git", "branch", NULL, RO, NULL, "-arlvimtcqu -u=~ -v --all --remotes --list --verbose "
      "--show-current --contains? --no-contains? --merged? --no-merged? --points-at= --sort= "
      "--format= --color? --no-color --column? --no-column --abbrev? --no-abbrev --ignore-case "
      "--omit-empty --move~ --copy~ --track?~ --no-track~ --set-upstream-to=~ --unset-upstream~ "
      "--edit-description+ --quiet --recurse-submodules~ --create-reflog~", sf_classify_git_branch, 0 },
    { "git", "tag", "-d --delete -f --force", DEL, "git-tag-loss",
      "-dflansv -m= -F=< -u= --delete --force", NULL, 0 },
    { "git", "tag", "-v --verify", BT, "git-signature", "-v --verify", NULL, 0 },
    { "git", "tag", NULL, RO, NULL, "-alnsiu -n? -m=~ -F=~ -u=~ --list --contains? "
      "--no-contains? --merged? --no-merged? --points-at? --sort= --format= --color? --column? "
      "--ignore-case --annotate~ --sign~ --no-sign --message=~ --file=~ --cleanup= "
      "--create-reflog --omit-empty --local-user=~ --edit+", sf_classify_git_branch, 0 },
    { "git", "remote", "-v --verbose", RO, NULL, "-v --verbose", sf_classify_git_remote, 0 },
    { "git", "remote get-url", NULL, RO, NULL, "--push --all", NULL, 0 },
    { "git", "remote show,update,prune", NULL, NET, "network", "-pn --prune# --dry-run",
      sf_classify_verbs, 0 },
    { "git", "remote add,set-branches,set-head", NULL, ED, "git-edit", NULL, NULL, 0 },
    { "git", "remote remove,rm,rename,set-url", NULL, DEL, "git-remote", NULL, NULL, 0 },
    { "git", "remote", NULL, RO, NULL, "", sf_classify_git_remote, 0 },
    { "git", "config", NULL, RO, NULL, "-lz -e+ -f=< --get --get-all --get-regexp --get-urlmatch "
      "--list --local --worktree --global --system --file=< --blob= --show-origin --show-scope "
      "--null --name-only --type= --bool --int --path --bool-or-int --expiry-date --default= "
      "--includes --no-includes --add~ --unset~ --unset-all~ --replace-all~ --rename-section~ "
      "--remove-section~ --edit+ --get-color --get-colorbool --all --regexp --value= "
      "--fixed-value --append~", sf_classify_git_config, 0 },
    { "git", "submodule,submodules status,summary", NULL, RO, NULL,
      "--cached --recursive --quiet -n= --summary-limit=", NULL, 0 },
    { "git", "submodule foreach", NULL, BT, "runs-text", "-q --quiet --recursive",
      sf_classify_git_text, 0 },
    { "git", "submodule update,add,init,sync", NULL, NET, "network", NULL,
      sf_classify_git_clone_plain, 0 },
    { "git", "submodule deinit", NULL, DEL, "git-discard", NULL, NULL, 0 },
    { "git", "submodule", NULL, BT, "git-edit", NULL, NULL, 0 },
    { "git", "worktree list", NULL, RO, NULL, NULL, NULL, 0 },
    { "git", "worktree add,lock,unlock,move,repair", NULL, ED, "git-edit",
      "-b= -B=# -f# -dq --detach --checkout --no-checkout --lock --reason= --force# --track "
      "--guess-remote --orphan", sf_classify_git_worktree, 0 },
    { "git", "worktree", NULL, DEL, "git-discard", NULL, NULL, 0 },
    { "git", "notes", "-h", RO, NULL, "-h", NULL, 0 },
    { "git", "notes list,show,get-ref", NULL, RO, NULL, NULL, NULL, 0 },
    { "git", "notes remove,prune", NULL, DEL, "git-loss", NULL, NULL, 0 },
    { "git", "bisect log,terms", NULL, RO, NULL, NULL, NULL, 0 },
    { "git", "bisect view,visualize", NULL, BT, "git-runs", SHOW, NULL, 0 },
    { "git", "bisect run", NULL, BT, "runs-text", NULL, sf_classify_git_text, 0 },
    { "git", "sparse-checkout list", NULL, RO, NULL, NULL, NULL, 0 },
    { "git", "bundle verify,list-heads", NULL, RO, NULL, NULL, NULL, 0 },
    { "git", "archive", NULL, RO, NULL, "-vl -0 -o=> --output=> --format= --prefix= --list "
      "--verbose --remote=@ --exec=! --worktree-attributes --add-file=<", sf_classify_git_history,
      0 },

    { "git", "clean", "-n --dry-run", RO, NULL, "-ndfxXqi -e= --dry-run --force --quiet "
      "--exclude= --interactive", NULL, 0 },
    { "git", "clean", NULL, DEL, "git-clean", NULL, NULL, 0 },
    { "git", "reset", "--hard --merge --keep -p --patch", DEL, "git-reset-hard",
      "-qpN --hard --soft --mixed --merge --keep --quiet --patch --recurse-submodules "
      "--pathspec-from-file=<", NULL, 0 },
    { "git", "reset", NULL, ED, "git-edit", "-qN --soft --mixed --quiet --no-refresh --refresh "
      "--intent-to-add --pathspec-from-file=< --pathspec-file-nul", NULL, 0 },
    { "git", "checkout|co", "-f --force -p --patch -B --ours --theirs -m --merge "
      "--pathspec-from-file --overlay --no-overlay", DEL, "git-discard",
      "-fpmqtld -b= -B= --force --patch --ours --theirs --merge --pathspec-from-file= --overlay "
      "--no-overlay --conflict=", NULL, 0 },
    { "git", "checkout|co", NULL, ED, "git-edit", "-b= -qtldd --orphan= --quiet --progress "
      "--no-progress --track? --no-track --detach --guess --no-guess --ignore-other-worktrees "
      "--recurse-submodules --no-recurse-submodules", sf_classify_git_checkout, 0 },
    { "git", "switch", "-f --force --discard-changes -C --force-create", DEL, "git-discard",
      "-fmqtd -c= -C= --force --discard-changes --force-create= --create= --detach --merge",
      NULL, 0 },
    { "git", "switch", NULL, ED, "git-edit", "-c= -qtdm --create= --detach --guess --no-guess "
      "--merge --quiet --track? --no-track --orphan= --ignore-other-worktrees --progress "
      "--no-progress --recurse-submodules --conflict=", NULL, 0 },
    { "git", "restore", "-S --staged", ED, "git-edit", "-qS -s=# -W# -p# --staged --worktree# "
      "--source= --quiet --patch#", NULL, 0 },
    { "git", "rm", "-n --dry-run", RO, NULL, "-rqfn --cached --dry-run --quiet --force "
      "--ignore-unmatch", NULL, 0 },
    { "git", "restore|rm", "--cached", ED, "git-edit", "-rqfn --cached --dry-run --quiet --force "
      "--ignore-unmatch", NULL, 0 },
    { "git", "restore|rm", NULL, DEL, "git-discard", NULL, NULL, 0 },
    { "git", "read-tree", "--reset -u", DEL, "git-discard", "-muinv --reset -u", NULL, 0 },
    { "git", "checkout-index", "-f --force", DEL, "git-discard",
      "-fauqnz --force --all --prefix=>", NULL, 0 },
    { "git", "symbolic-ref|hash-object", NULL, RO, NULL, "-qt --short --quiet -w~ --stdin -t= "
      "--path= --no-filters --literally --stdin-paths -d# --delete# -m=~", sf_classify_git_symref, 0 },
    { "git", "lfs ls-files,status,env,version,logs", NULL, RO, NULL, NULL, NULL, 0 },
    { "git", "update-ref", "-d --stdin", DEL, "git-loss", "-d --stdin -m= --no-deref -z", NULL, 0 },
    { "git", "update-ref", NULL, ED, "git-edit", "-m= --no-deref --create-reflog -z",
      sf_classify_git_update_ref, 0 },
    { "git", "replace", "-d --delete -f --force --edit", DEL, "git-loss",
      "-df --delete --force --edit", NULL, 0 },
    { "git", "apply", "--unsafe-paths --directory", DEL, "write-outside",
      "-Rpv3q --unsafe-paths --directory=", NULL, 0 },
    { "git", "apply", "--stat --numstat --summary --check", RO, NULL,
      "-pRv --stat --numstat --summary --check -p= --reverse --verbose", NULL, 0 },
    { "git", "gc", "--prune", DEL, "git-loss", "-q --prune? --aggressive --auto --quiet", NULL, 0 },
    { "git", "prune|prune-packed|filter-branch|filter-repo|obliterate|delete-*|nuke|undo|"
      "reset-hard|rid", NULL, DEL, "git-loss", NULL, NULL, 0 },
    { "git", "maintenance start,register,stop,unregister", NULL, DEL, "persistence", NULL, NULL, 0 },
    { "git", "am|rebase|merge|cherry-pick|revert|pull",
      "--exec -x -s -X --strategy -S --gpg-sign", BT, "git-runs",
      "-x=$ -s= -X= -S? --exec=$ --strategy= --strategy-option= --gpg-sign? --force",
      sf_classify_git_pull, 0 },
    { "git", "am|merge|cherry-pick|revert|rebase", NULL, ED, "git-edit", NULL, NULL, 0 },
    { "git", "mv|apply|init|notes|bisect|format-patch|update-index|"
      "write-tree|commit-tree|mktag|mktree|hash-object|update-ref|symbolic-ref|replace|gc|repack|"
      "pack-refs|pack-objects|index-pack|unpack-objects|multi-pack-index|commit-graph|rerere|"
      "checkout-index|read-tree|bundle|sparse-checkout|rm-cached|maintenance|interpret-trailers|"
      "mailsplit|mailinfo|fast-import|refs|stash-create|history|merge-file|unpack-file|"
      "merge-tree", NULL,
      ED, "git-edit", "* -o=> --output-directory=> --template=! --separate-git-dir=! --prefix=> "
      "--export-marks=> --import-marks=<",
      sf_classify_git_edit, 0 },
    { "git", "verify-commit|verify-tag|bugreport|diagnose|difftool|mergetool|gui|citool|k|instaweb|web--browse|hook|fast-export|credential*|"
      "merge-index|merge-one-file|rebase--*|filter-*|upload-*|receive-pack|shell|sh-*", NULL, BT,
      "git-runs", "-x=! --extcmd=! -t= --tool= -y --no-prompt -d --dir-diff -b=! --httpd=!",
      NULL, 0 },

    { "git", "push", "-n --dry-run", NET, "network", "-nfduq -o= --dry-run --force "
      "--force-with-lease? --delete --mirror --prune --tags --all --set-upstream --porcelain "
      "--verbose --receive-pack=! --exec=! --repo=", NULL, 0 },
    { "git", "push", "-f --force --force-with-lease --force-if-includes -d --delete --mirror "
      "--prune", DEL, "git-force-push", "-fduqnv46 -o= --force --force-with-lease? "
      "--force-if-includes --delete --mirror --prune --push-option= --repo=", NULL, 0 },
    { "git", "push", NULL, NET, "network", "-uqv46 -o= --set-upstream --tags --all --branches "
      "--follow-tags --atomic --porcelain --verbose --quiet --progress --no-verify --signed? "
      "--push-option= --repo= --receive-pack=! --exec=! --thin --no-thin --recurse-submodules=",
      sf_classify_git_push, 0 },
    { "git", "send-pack|http-push|p4|svn|cvsexportcommit|cvsimport|send-email|imap-send|"
      "request-pull|daemon|http-backend|quiltimport|subtree|annex|flow|town|absorb|remote-*",
      NULL, NET, "network", "-f# --force# --mirror# --exec=! --receive-pack=! --upload-pack=!",
      sf_classify_verbs, 0 },
    { "git", "fetch", "-p --prune -P --prune-tags", NET, "network",
      "-pPatfnqkvuj46 --prune --prune-tags --all --tags --force --upload-pack=!", NULL, 0 },
    { "git", "clone|fetch|pull|ls-remote|fetch-pack|remote-http*", NULL, NET, "network",
      "-u=! --upload-pack=! -c=& --config=& --template=! -b= -o= -j= --depth= --branch= "
      "--origin= --jobs= --filter= --reference= --separate-git-dir= --shallow-since= -qvn46l "
      "--server-option= -X= -s= -r? --rebase? --recurse-submodules?", sf_classify_git_clone, 0 },
    { "git", "lfs", NULL, NET, "network", NULL, sf_classify_verbs, 0 },
    { "git-lfs", "", NULL, NET, "network", NULL, sf_classify_verbs, 0 },
    { "git-lfs", "ls-files|status|env|version|track|untrack|logs|pointer", NULL, ED, "git-edit",
      NULL, NULL, 0 },
    { "tig|lazygit|gitui|gitk|gitg|gitx|git-cola", NULL, NULL, BT, "git-runs", NULL,
      sf_classify_verbs, 0 },
    { "git-*", NULL, NULL, BT, "git-runs", NULL, sf_classify_git_dashed, 0 },

    { "gh|hub|glab|tea", "", NULL, NET, "network", "-R= --repo= --hostname=", sf_classify_verbs, 0 },
    { "gh|glab|tea", "version|help|completion|--version", NULL, RO, NULL, NULL, NULL, 0 },
    { "gh|glab", "auth token", NULL, DEL, "secret-shown", NULL, NULL, 0 },
    { "gh|glab", "auth status,login", NULL, NET, "network", NULL, NULL, 0 },
    { "gh|glab|hub|tea", "api", NULL, NET, "network", "-X= -f= -F= -H= -q= -t= -i --method= "
      "--field= --raw-field= --header= --input=< --jq= --paginate --template= --hostname= "
      "--cache=", sf_classify_curl, 0 },
    { "gh|glab", "gist create", NULL, DEL, "publish", NULL, NULL, 0 },
    { "gh|glab|hub", "pr,mr merge", NULL, DEL, "publish", NULL, NULL, 0 },
    { "gh|glab", "issue,pr,mr,repo,run,workflow,release,search,gist,label,project,ruleset,cache,"
      "codespace,secret,variable,org,status,browse,alias,extension,config,api "
      "view,list,status,diff,checks,download,watch,clone,checkout,comment,create,edit,"
      "close,reopen,fork,sync,view-*,search,develop,ready,review,set",
      NULL, NET, "network", NULL, sf_classify_gh, 0 },
    { "gh|glab", "workflow,run,ci run,rerun,trigger,retry", NULL, NET, "network", NULL, NULL, 0 },
    { "gh|glab", "codespace,cs ssh,cp,ports,logs,code", NULL, NET, "network", NULL, NULL, 0 },

    /* but for svn's, settings of a working copy name extensions, hooks, aliases, pagers and tools */
    { "svn|hg|bzr|fossil|jj|sl|darcs|cvs|p4|pijul|brz", "", NULL, BT, "vcs", NULL,
      sf_classify_verbs, 0 },
    { "svn", "status|st|stat|info|diff|di|propget|pg|proplist|pl|help|changelist", NULL, RO, NULL,
      "-vqNR -u@ -r=@ -c=@ --show-updates@ --revision=@ --change=@ --old=@ --new=@ --verbose "
      "--quiet --no-ignore --depth= --xml --show-item= --no-newline --summarize --git --patch-compatible "
      "--non-interactive --ignore-externals", sf_classify_may_fetch, 0 },
    { "svn", "log|cat|ls|list|blame|annotate|praise|ann", NULL, NET, "network",
      "-vqglcR -r= -l= -c= --verbose --quiet --limit= --revision= --stat --xml --diff "
      "--stop-on-copy --diff-cmd=! --editor-cmd=! --config-option=! --config-dir=!", NULL, 0 },
    { "svn|hg|bzr|cvs|p4|sl|jj|brz|darcs|fossil", "revert|cleanup|purge|strip|rollback|abandon|"
      "obliterate|delete|remove|rm|del|uncommit|unshelve|shelve-delete|clean|undo|restore|evolve|"
      "prune|debug*", NULL, DEL, "vcs-discard", NULL, NULL, 0 },
    { "hg|sl|jj|bzr", "update|up|co|checkout|goto", "-C --clean", DEL, "vcs-discard",
      "-C --clean -r= --rev=", NULL, 0 },
    { "svn|hg|bzr|cvs|p4|sl|jj|brz|darcs", "pull|clone|checkout|co|update|up|fetch|incoming|"
      "outgoing|push|export|import|commit|ci|switch|merge|relocate|sync|submit", NULL, NET,
      "network", "-f# --force#", NULL, 0 },
};
/* clang-format on */

const struct sf_facts sf_facts_git = { rows, SF_COUNT(rows) };
