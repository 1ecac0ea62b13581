/*
 * facts_code.c: interpreters, databases and editors: programs that take programs. Code given on
 * the command line is looked through for words that delete, start or send; code from a pipe or a
 * file nobody can see asks.
 */
#include "base/base.h"
#include "shell/classifier.h"

/* clang-format off */
static const struct sf_fact rows[] = {
    { "python|python2|python3|python3.*|python2.*|pypy|pypy3|ipython|ipython3|micropython|jython|"
      "bpython|ptpython|graalpy", NULL, "=-V --version", RO, NULL, "-VV --version", NULL, 0 },
    { "python|python2|python3|python3.*|python2.*|pypy|pypy3|ipython|ipython3|micropython|jython|"
      "bpython|ptpython|graalpy", NULL, NULL, BT, "interpreter",
      "-bBdEhiIOOPqsSuvxt3 -c=% -m= -W= -X= --check-hash-based-pycs=", sf_classify_code, 1 },
    { "perl|perl5*|perl6|raku", NULL, "=-v -V --version", RO, NULL, "-v -V? --version", NULL, 0 },
    { "perl|perl5*|perl6|raku", NULL, NULL, BT, "interpreter",
      "-acfhlnpsStTuUvwWX0 -C? -D= -F= -I= -M= -m= -d?! -e=% -E=% -i? -x? -V?", sf_classify_code, 1 },
    { "ruby|ruby2*|ruby3*|jruby|irb|pry|mruby|truffleruby|crystal-i", NULL, "=-v --version", RO,
      NULL, "-v --version", NULL, 0 },
    { "ruby|ruby2*|ruby3*|jruby|irb|pry|mruby|truffleruby", NULL, NULL, BT, "interpreter",
      "-acdhlnpsSUvwy -0 -C= -e=% -E= -F= -i? -I= -K= -r= -T? -W? -x? --disable= --enable= "
      "--yjit --jit", sf_classify_code, 1 },
    { "node|nodejs|deno|bun-run|ts-node|tsx|esno|jiti|babel-node|coffee|iojs|qjs|d8|jsc|rhino|"
      "duk|hermes|swc-node|zx", NULL, "=-v --version -V", RO, NULL, "-vV --version", NULL, 0 },
    { "deno", "", NULL, BT, "interpreter", NULL, sf_classify_deno, 0 },
    { "node|nodejs|ts-node|tsx|esno|jiti|babel-node|coffee|iojs|qjs|d8|jsc|rhino|duk|hermes|"
      "swc-node|zx", NULL, NULL, BT, "interpreter", "-cihs -e=% -p=% -r= -C= -T -P= -O= --eval=% "
      "--print=% --require= --import= --loader= --check --inspect? --inspect-brk? --watch --test "
      "--env-file= --experimental-* --max-old-space-size= --enable-source-maps --trace-warnings "
      "--no-warnings --interactive", sf_classify_code, 1 },
    { "php|php5*|php7*|php8*|hhvm", NULL, "=-v --version -i --info -m --modules --ini", RO, NULL,
      "-vim --version --info --modules --ini", NULL, 0 },
    { "php|php5*|php7*|php8*|hhvm", NULL, "-l --syntax-check", RO, NULL, "-l --syntax-check",
      NULL, 1 },
    { "php|php5*|php7*|php8*|hhvm", NULL, NULL, BT, "interpreter",
      "-aCenqswH -r=% -B=% -R=% -E=% -f= -F= -S=@ -t= -d= -c= -z= --run=% --process-code=% "
      "--file= --server=@", sf_classify_code, 1 },
    { "lua|lua5*|luajit|luau|lune|texlua|fennel|moon|wsapi|love|rlua", NULL, "=-v", RO, NULL,
      "-v", NULL, 0 },
    { "lua|lua5*|luajit|luau|lune|texlua|fennel|moon|love", NULL, NULL, BT, "interpreter",
      "-iEW -e=% -l= -j= -O? -b", sf_classify_code, 1 },
    { "R|Rscript|r|littler|julia|octave|matlab|gnuplot|maxima|gap|sage|dc|sbcl|clisp|ccl|ecl|"
      "guile|racket|scheme|chicken|csi|gosh|gsi|mit-scheme|chez|petite|clojure|clj|bb|babashka|"
      "jshell|groovy|scala|scala-cli|kotlin|kscript|ghci|runghc|runhaskell|stack-run|ocaml|utop|"
      "erl|escript|elixir|iex|swipl|gprolog|tclsh|wish|jimsh|m4|elvish|janet|io|ioke|newlisp|"
      "pike|rexx|regina|nickle|gforth|forth|J|apl|q|kona|cling|root|tcc-run|dmd-run|rust-script|"
      "evcxr|cargo-script|gomacro|yaegi|gore|dotnet-script|csharp|fsi|fsharpi|nu-script|"
      "osascript|jjs|dart|vbs", NULL, NULL, BT, "interpreter",
      "-qsvViHlnxfw -e=% -E=% -c=% -x=% -p=% -r= -t= -g=% -L= --eval=% --execute=% "
      "--expression=% --exec=% --load= --script= --run= --no-init-file --vanilla --slave --quiet "
      "--silent --batch --no-save --project? -noshell -eval=% -s= --print=%", sf_classify_code, 1 },
    { "java|javaw|jar|jshell|kotlin|scala|groovy|clojure", NULL,
      "=-version --version -showversion", RO, NULL, "/ -version -showversion", NULL, 0 },
    { "jar", "", NULL, BT, "toolchain", NULL, NULL, 0 },
    { "jar", "tf|tvf|-tf|-tvf|t", NULL, RO, NULL, "* -J=!", sf_classify_objects, 0 },
    { "javap", NULL, NULL, RO, NULL, "/ -c -p -l -s -v -verbose -public -protected -package -private "
      "-constants -sysinfo -cp= -classpath= -version", NULL, 0 },
    { "java|javaw|jar|jdb|jarsigner|keytool|jcmd|jps|jstack|jmap|jinfo|jconsole|jlink|jpackage|"
      "jdeps", NULL, NULL, BT, "interpreter",
      "/ -javaagent=! -agentpath=! -agentlib=! -XX=", NULL, 0 },
    { "vi|vim|nvim|view|ex|vimdiff|gvim|rvim|ed|red|emacs|emacsclient|nano|pico|micro|joe|jed|"
      "mcedit|hx|helix|kak|code|codium|subl|atom|gedit|kate|mg|ne|vile|elvis|nvi|rview|zile|"
      "cursor|zed|idea|pycharm|mc|ranger|nnn|lf|vifm|yazi|visidata|vd|hexedit|bvi", NULL, NULL,
      BT, "editor", "-bdeEmMnNRsvyZ -0 -c=! -S=! -s -u=! -U=! -T= -t= -w=> -W=> -i= -l=! -f=! "
      "-q= -Q -batch --cmd=! --eval=! --execute=! --batch --script=! --load=! --insert=< "
      "--funcall=! --startuptime=> --remote-send=! --remote-expr=! --listen=@ --headless --clean "
      "--noplugin --install-extension=# --uninstall-extension=# --wait --diff -exec=! -eval=!",
      sf_classify_editor, 0 },
    { "sqlite3|sqlite|sqlite2|sqlcipher", NULL, "-readonly --readonly", RO, NULL,
      "/ -readonly -header -noheader -column -json -csv -box -line -list -html -markdown -table "
      "-quote -ascii -tabs -separator= -nullvalue= -newline= -bail -batch -version -cmd=! "
      "-init=! -A!", sf_classify_sql, 0 },
    { "sqlite3|sqlite|sqlite2|duckdb|litecli|sqlcipher", NULL, NULL, BT, "database",
      "/ -cmd= -init=! -separator= -nullvalue= -newline= -A! -json -csv -header -c= -s=",
      sf_classify_sql, 0 },
    { "psql|pgcli|mysql|mariadb|mycli|cockroach-sql|clickhouse-client|clickhouse-local|clickhouse|sqlcmd|"
      "mssql-cli|isql|osql|sqlplus|usql|snowsql|presto|trino|beeline|hive|impala-shell|cqlsh|"
      "influx|mongo|mongosh|db2|ksql|spark-sql|surreal|neo4j-admin|cypher-shell|arangosh|mclient|"
      "exaplus|vsql|bteq|fbsql|tsql|dbaccess|redli", NULL, NULL, NET, "database",
      "-AaEeHLlnqtWwXxzbBDfNCGsTvV -c= -d= -h= -p? -P= -U= -u= -e= -f=# -o=> -L=> -v= -F= -R= "
      "-D= -S= -q= -k= -Q= -i=# -I= -j= --command= --dbname= --host= --port= --username= --user= "
      "--password? --execute= --eval= --file=# --output=> --query= --database= --set= "
      "--variable= --tuples-only --no-align --csv --quiet --batch --skip-column-names "
      "--init-command= --norc --shell --json --raw --table --pager=! --tee=>", sf_classify_sql, 0 },
    { "redis-cli|valkey-cli|keydb-cli|memcached-tool|memcstat|etcdctl|consul|zkcli|zkCli.sh|riak",
      NULL, NULL, NET, "database", "-h= -p= -a= -n= -u= -x -r= -i= -s= --raw --no-raw --csv "
      "--eval=! --pipe! --cluster= --scan --bigkeys --memkeys --hotkeys --stat --latency --ldb! "
      "--rdb=> --pass= --user= --uri= --pattern= --tls --endpoints= --prefix --keys-only",
      sf_classify_redis_like, 0 },
    { "pg_dump|pg_dumpall|mysqldump|mariadb-dump|mongodump|mongoexport|pg_isready|pg_basebackup|"
      "pg_amcheck|mysqlshow|mysqlcheck|mysqlslap|createdb|createuser|initdb|pg_upgrade|pgbench|"
      "pg_config|bsondump|mongostat|mongotop|pg_receivewal|influxd", NULL, NULL, NET, "database",
      "-f=> -o=> --file=> --out=> --output=> --result-file=> -r=> -h= -U= -d= -p? -u= -c# "
      "--clean#", NULL, 0 },
    { "dropdb|dropuser|pg_restore|mysqladmin|mongorestore|mongoimport|mysqlimport|pg_ctl|"
      "pg_resetwal|pg_rewind|pg_archivecleanup|mysql_install_db|mysql_secure_installation|"
      "pg_dropcluster|pg_ctlcluster|reindexdb|vacuumdb|clusterdb|pt-*|gh-ost|flyway|liquibase|"
      "dbmate|sqitch|goose|alembic|knex|sequelize|sequelize-cli|typeorm|prisma|drizzle-kit|atlas|"
      "phinx|doctrine|migrate|diesel|sqlx|sea-orm-cli|ecto|aerich|yoyo|rake-db|wrangler-d1|"
      "supabase|hasura|fauna|planetscale|pscale|neonctl|turso", NULL, NULL, BT, "database", NULL,
      sf_classify_migration, 0 },
    { "uvicorn|gunicorn|hypercorn|daphne|flask|streamlit|jupyter|jupyter-lab|jupyter-notebook|"
      "puma|unicorn|thin|php-fpm|waitress-serve|granian|rackup|shotgun", NULL, NULL, NET,
      "listener", NULL, NULL, 0 },
    { "ollama|huggingface-cli|hf|wandb|mlflow|dvc|kaggle", "", NULL, NET, "network", NULL,
      sf_classify_verbs, 0 },
    { "django-admin|manage.py|celery|rq|dramatiq|papermill|nbconvert|scrapy|airflow|dbt|prefect|"
      "dagster|luigi|litellm|llm|aider|claude|codex|gemini|opencode|crush|goose|qwen|cody|"
      "copilot|cursor-agent|amp", NULL, NULL, BT, "runs-script",
      "--yolo# --dangerously-skip-permissions# --dangerously-bypass-approvals-and-sandbox#",
      sf_classify_verbs, 0 },
};
/* clang-format on */

const struct sf_facts sf_facts_code = { rows, SF_COUNT(rows) };
