/*
 * code_inline.c: what an inline program or SQL text seems to do. Not a reader of those
 * languages: a program given on the command line is at least build-test anyway, and the words
 * below only raise it. SQL is taken apart into words so that text in quotes stays text.
 */
#include <string.h>

#include "shell/classifier.h"

bool sf_is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* clang-format off */
static const struct sign {
    const char *text;
    enum sf_class class;
    const char *rule;
} signs[] = {
    { "rmtree",           DEL, "code-deletes" }, { "unlink",          DEL, "code-deletes" },
    { "rmdir",            DEL, "code-deletes" }, { "rmSync",          DEL, "code-deletes" },
    { "remove_tree",      DEL, "code-deletes" }, { "rm_rf",           DEL, "code-deletes" },
    { "rm_r",             DEL, "code-deletes" }, { "rm_f",            DEL, "code-deletes" },
    { "FileUtils.rm",     DEL, "code-deletes" }, { "FileUtils.remove", DEL, "code-deletes" },
    { "os.remove",        DEL, "code-deletes" }, { "removedirs",      DEL, "code-deletes" },
    { "file.remove",      DEL, "code-deletes" }, { "delete-file",     DEL, "code-deletes" },
    { "delete-directory", DEL, "code-deletes" }, { "File.delete",     DEL, "code-deletes" },
    { "Dir.delete",       DEL, "code-deletes" }, { "fs.rm",           DEL, "code-deletes" },
    { "fs.remove",        DEL, "code-deletes" }, { "promises.rm",     DEL, "code-deletes" },
    { "rimraf",           DEL, "code-deletes" }, { "Deno.remove",     DEL, "code-deletes" },
    { "Remove-Item",      DEL, "code-deletes" }, { "truncate",        DEL, "code-deletes" },
    { "unlinkSync",       DEL, "code-deletes" }, { "file_delete",     DEL, "code-deletes" },
    { "deltree",          DEL, "code-deletes" }, { "emptyDir",        DEL, "code-deletes" },
    { ".unlink(",         DEL, "code-deletes" }, { "removeSync",      DEL, "code-deletes" },
    { "os.kill",          DEL, "code-kills" },   { "process.kill",    DEL, "code-kills" },
    { "os.system",        DEL, "code-runs" },    { "system(",         DEL, "code-runs" },
    { "system ",          DEL, "code-runs" },    { "popen",           DEL, "code-runs" },
    { "Popen",            DEL, "code-runs" },    { "subprocess",      DEL, "code-runs" },
    { "child_process",    DEL, "code-runs" },    { "execSync",        DEL, "code-runs" },
    { "execFile",         DEL, "code-runs" },    { "spawn",           DEL, "code-runs" },
    { "os.exec",          DEL, "code-runs" },    { "execv",           DEL, "code-runs" },
    { "execl",            DEL, "code-runs" },    { "shell_exec",      DEL, "code-runs" },
    { "passthru",         DEL, "code-runs" },    { "proc_open",       DEL, "code-runs" },
    { "pcntl_exec",       DEL, "code-runs" },    { "qx",              DEL, "code-runs" },
    { "%x",               DEL, "code-runs" },    { "Open3",           DEL, "code-runs" },
    { "os.execute",       DEL, "code-runs" },    { "call-process",    DEL, "code-runs" },
    { "shell-command",    DEL, "code-runs" },    { "start-process",   DEL, "code-runs" },
    { "make-process",     DEL, "code-runs" },    { "syscmd",          DEL, "code-runs" },
    { "esyscmd",          DEL, "code-runs" },    { "Deno.run",        DEL, "code-runs" },
    { "Deno.Command",     DEL, "code-runs" },    { "Bun.$",           DEL, "code-runs" },
    { "pty.",             DEL, "code-runs" },    { "ctypes",          DEL, "code-runs" },
    { "ProcessBuilder",   DEL, "code-runs" },    { "getRuntime",      DEL, "code-runs" },
    { "process.binding",  DEL, "code-runs" },    { "b64decode",       DEL, "code-decoded" },
    { "fromCharCode",     DEL, "code-decoded" }, { "base64_decode",   DEL, "code-decoded" },
    { "decode64",         DEL, "code-decoded" }, { "'base64'",        DEL, "code-decoded" },
    { "\"base64\"",       DEL, "code-decoded" }, { "atob(",           DEL, "code-decoded" },
    { "pack(",            DEL, "code-decoded" }, { "codecs.decode",   DEL, "code-decoded" },
    { "fromhex",          DEL, "code-decoded" }, { "__import__",      DEL, "code-decoded" },
    { "marshal",          DEL, "code-decoded" }, { "pickle",          DEL, "code-decoded" },
    { "drop_all",         DEL, "code-deletes" }, { "dropDatabase",    DEL, "code-deletes" },
    { "deleteMany",       DEL, "code-deletes" }, { "deleteOne",       DEL, "code-deletes" },
    { ".drop(",           DEL, "code-deletes" }, { "dropDatabase",    DEL, "code-deletes" },
    { ".remove(",         DEL, "code-deletes" }, { "delete_all",      DEL, "code-deletes" },
    { "destroy_all",      DEL, "code-deletes" }, { "dropIndex",       DEL, "code-deletes" },
    { "shutdownServer",   DEL, "code-kills" },   { "exec ",           DEL, "code-runs" },
    { "run-program",      DEL, "code-runs" },    { "os:cmd",          DEL, "code-runs" },
    { "System.cmd",       DEL, "code-runs" },    { "File.rm",         DEL, "code-deletes" },
    { "System.Process",   DEL, "code-runs" },    { "removeDirectory", DEL, "code-deletes" },
    { "removeFile",       DEL, "code-deletes" }, { ".execute(",       DEL, "code-runs" },
    { "sys.process",      DEL, "code-runs" },    { "file delete",     DEL, "code-deletes" },
    { "open(\"|",         DEL, "code-runs" },    { "open('|",         DEL, "code-runs" },
    { "open |",           DEL, "code-runs" },    { "do shell script", DEL, "code-runs" },
    { "Process.Start",    DEL, "code-runs" },    { "File.Delete",     DEL, "code-deletes" },
    { "Directory.Delete", DEL, "code-deletes" }, { "fs::remove",      DEL, "code-deletes" },
    { "os.RemoveAll",     DEL, "code-deletes" }, { "exec.Command",    DEL, "code-runs" },
    { ".delete(",         DEL, "code-deletes" }, { "delete(\"",       DEL, "code-deletes" },
    { "delete('",         DEL, "code-deletes" }, { "file:del",        DEL, "code-deletes" },
    { "deleteRecursively", DEL, "code-deletes" }, { "deleteIfExists", DEL, "code-deletes" },
    { "deleteDir",        DEL, "code-deletes" }, { "Files.delete",    DEL, "code-deletes" },
    { "(shell ",          DEL, "code-runs" },    { "(sh ",            DEL, "code-runs" },
    { "http://",          NET, "code-network" }, { "https://",        NET, "code-network" },
    { "urllib",           NET, "code-network" }, { "requests.",       NET, "code-network" },
    { "socket",           NET, "code-network" }, { "fetch(",          NET, "code-network" },
    { "http.get",         NET, "code-network" }, { "http.server",     NET, "code-network" },
    { "net.connect",      NET, "code-network" }, { "Net::",           NET, "code-network" },
    { "LWP",              NET, "code-network" }, { "Socket",          NET, "code-network" },
    { "smtplib",          NET, "code-network" }, { "ftplib",          NET, "code-network" },
    { "fsockopen",        NET, "code-network" }, { "curl_",           NET, "code-network" },
    { "axios",            NET, "code-network" }, { "dns.",            NET, "code-network" },
    { "open-uri",         NET, "code-network" }, { "gethostby",       NET, "code-network" },
};

/* Words that run text or programs unless they are a method of something harmless. */
static const char *const bare_calls[] = {
    "exec", "eval", "compile", "system", "fork", "kill", "rm",
};

static const char *const outside_paths[] = {
    "/etc/", "/usr/", "/root", "/home/", "/var/", "/boot", "/dev/sd", "/dev/nvme", "~/",
    ".bashrc", ".zshrc", ".profile", ".ssh", ".git/", "authorized_keys", "crontab", "expanduser",
    "Path.home", "os.homedir", "HOME",
};

static const char *const write_signs[] = {
    "'w'", "\"w\"", "'a'", "\"a\"", "'wb'", "\"wb\"", "'ab'", "'w+'", "write_text", "write_bytes",
    "writeFile", "appendFile", "File.write", "file_put_contents", "createWriteStream", "copyfile",
    "os.rename", "shutil.", "renameSync", "os.chmod", "symlink", "'>", "\">",
};
/* clang-format on */

static bool holds_any(const char *code, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strstr(code, list[i]))
            return true;
    return false;
}

/* `name` as a word of its own, not behind a dot, and followed by a call or a quote. */
static bool calls(const char *code, const char *name)
{
    size_t len = strlen(name);

    for (const char *p = strstr(code, name); p; p = strstr(p + len, name)) {
        const char *next = p + len + strspn(p + len, " ");

        if ((p == code || (!sf_is_word_byte(p[-1]) && p[-1] != '.')) && *next &&
            strchr("(\"'`$", *next))
            return true;
    }
    return false;
}

enum sf_class sf_code_inline(const char *code, const char **rule)
{
    enum sf_class class = SF_CLASS_BUILD_TEST;

    for (size_t i = 0; i < SF_COUNT(signs); i++) {
        if (signs[i].class > class && strstr(code, signs[i].text)) {
            class = signs[i].class;
            *rule = signs[i].rule;
        }
    }
    for (size_t i = 0; i < SF_COUNT(bare_calls); i++) {
        if (class < SF_CLASS_DESTRUCTIVE && calls(code, bare_calls[i])) {
            class = SF_CLASS_DESTRUCTIVE;
            *rule = "code-runs";
        }
    }
    if (class < SF_CLASS_DESTRUCTIVE && holds_any(code, outside_paths, SF_COUNT(outside_paths)) &&
        holds_any(code, write_signs, SF_COUNT(write_signs))) {
        class = SF_CLASS_DESTRUCTIVE;
        *rule = "write-outside";
    }
    return class;
}

/* clang-format off */
static const struct {
    const char *word; /* upper case */
    bool first;       /* only as the first word of a statement */
    const char *rule;
} sql_words[] = {
    { "DROP", false, "sql-destroys" },   { "TRUNCATE", false, "sql-destroys" },
    { "DELETE", false, "sql-destroys" }, { "VACUUM", true, "sql-destroys" },
    { "KILL", true, "sql-destroys" },    { "SHUTDOWN", true, "sql-destroys" },
    { "PROGRAM", false, "sql-runs" },    { "OUTFILE", false, "sql-runs" },
    { "DUMPFILE", false, "sql-runs" },   { "XP_CMDSHELL", false, "sql-runs" },
    { "LOAD_EXTENSION", false, "sql-runs" }, { "READFILE", false, "sql-runs" },
    { "FSDIR", false, "sql-runs" }, { "PG_TERMINATE_BACKEND", false, "sql-destroys" },
    { "WRITEFILE", false, "sql-runs" },  { "EDIT", false, "sql-runs" },
    { "ATTACH", true, "sql-runs" },
    { "PURGE", true, "sql-destroys" },   { "REVOKE", true, "sql-destroys" },
    { "UNLINK", false, "sql-destroys" }, { "SOURCE", true, "sql-runs" },
    { "OPTIMIZE", true, "sql-destroys" },{ "GRANT", true, "sql-destroys" },
};

/* Commands of the clients themselves that leave SQL. */
static const char *const client_commands[] = {
    "\\!", "\\i ", "\\ir", "\\include", "\\o ", "\\out", "\\g |", "\\g|", "\\g /", "\\gexec",
    "\\copy", "\\setenv", "\\w ", "\\e ", "\\ef", "\\ev", "\\s ", "\\lo_", "system ",
};
/* clang-format on */

/* Reads one word in upper case; the length in the text is returned. */
static size_t upper_word(const char *p, char *word, size_t size)
{
    size_t n = 0;

    for (; sf_is_word_byte(p[n]); n++)
        if (n + 1 < size)
            word[n] = (char)(p[n] >= 'a' && p[n] <= 'z' ? p[n] - 'a' + 'A' : p[n]);
    word[n < size ? n : size - 1] = '\0';
    return n;
}

static const char *skip_quoted(const char *p)
{
    const char *end = strchr(p + 1, *p);

    return end ? end + 1 : p + strlen(p);
}

static const char *sql_rule(const char *word, bool first)
{
    for (size_t i = 0; i < SF_COUNT(sql_words); i++)
        if ((first || !sql_words[i].first) && !strcmp(word, sql_words[i].word))
            return sql_words[i].rule;
    return NULL;
}

/* A line of sqlite's own: its commands may be shortened, so only those that show count. */
static bool dot_line_shows(const char *line)
{
    static const char showing[] =
        ".tables|.table|.schema|.fullschema|.databases|.indexes|.indices|.mode|.headers|.header|"
        ".width|.nullvalue|.separator|.help|.show|.dbinfo|.stats|.timer|.explain|.dump|.quit|.exit|"
        ".echo|.bail|.changes|.eqp|.print|.sha3sum|.vfsinfo|.version|.limit|.";
    char name[16];
    size_t n = strcspn(line, " \t\n;");

    if (n >= sizeof(name))
        return false;
    memcpy(name, line, n);
    name[n] = '\0';
    return sf_pattern_fits(showing, sizeof(showing) - 1, name);
}

static bool dot_lines_show(const char *code)
{
    while (code) {
        code += strspn(code, " \t\n");
        if (*code == '.' && !dot_line_shows(code))
            return false;
        code = strchr(code, '\n');
    }
    return true;
}

/* COPY … TO and FROM name a file or a program unless they name the client's own ends. */
static bool copies_to_client(const char *statement)
{
    const char *end = statement + strcspn(statement, ";");
    const char *in = strcasestr(statement, "stdin"), *out = strcasestr(statement, "stdout");

    return (in && in < end) || (out && out < end);
}

enum sf_class sf_code_sql(const char *code, const char **rule)
{
    bool first = true, explain = false;

    if (!dot_lines_show(code)) {
        *rule = "sql-runs";
        return SF_CLASS_DESTRUCTIVE;
    }

    for (size_t i = 0; i < SF_COUNT(client_commands); i++) {
        const char *found = strstr(code, client_commands[i]);

        if (found && (found == code || strchr(" ;\n\t", found[-1]))) {
            *rule = "sql-runs";
            return SF_CLASS_DESTRUCTIVE;
        }
    }
    for (const char *p = code; *p;) {
        char word[32];

        if (*p == '\'' || *p == '"' || *p == '`') {
            p = skip_quoted(p);
        } else if (p[0] == '-' && p[1] == '-') {
            p += strcspn(p, "\n");
        } else if (sf_is_word_byte(*p)) {
            const char *found;

            p += upper_word(p, word, sizeof(word));
            found = sql_rule(word, first);
            if (first && !strcmp(word, "COPY") && !copies_to_client(p))
                found = "sql-runs";
            explain = first ? !strcmp(word, "EXPLAIN") : explain && strcmp(word, "ANALYZE") != 0;
            if (found && !explain) {
                *rule = found;
                return SF_CLASS_DESTRUCTIVE;
            }
            first = false;
        } else {
            first = first || *p == ';';
            p++;
        }
    }
    return SF_CLASS_READONLY;
}
