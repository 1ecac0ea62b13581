/*
 * What lies over the conversation, as golden screens: lists, pages and the cards that wait for an
 * answer.
 */
#include "support/screen_case.h"

#define USAGE "    usage input=3000 output=200\n"
#define BUILD "[defaults]\nwork_mode = \"build\"\nrun_control = \"assisted\"\n"

#define OPEN(keys, title) KEYS(keys), SEE(title)
#define ASK(keys, answer) KEYS(keys), SEE(answer), UNSEE("Esc cancels")
#define CLOSE             KEYS(ESC), UNSEE("Esc close")

static void test_pickers(void **state)
{
    static const struct screen_step steps[] = {
        SEE("Welcome"),
        OPEN(F1, "This terminal"),
        SHOT("overlay_help", AT_ALL),
        KEYS(PGDN PGDN),
        SHOT("overlay_help_further", AT_SOME),
        CLOSE,
        OPEN("\v", "Esc close"),
        SHOT("overlay_palette", AT_ALL),
        KEYS("model"),
        SEE("/ model"),
        SHOT("overlay_palette_narrowed", AT_SOME | AT_120),
        KEYS("xyz"),
        SEE("nothing fits"),
        SHOT("overlay_palette_nothing", AT_SOME),
        CLOSE,
        OPEN("/mode\r", "Esc close"),
        SHOT("overlay_mode", AT_ALL),
        CLOSE,
        OPEN("/control\r", "Esc close"),
        SHOT("overlay_control", AT_SOME),
        CLOSE,
        OPEN("/permission-profile\r", "Esc close"),
        SHOT("overlay_profile", AT_SOME),
        CLOSE,
        OPEN("/scope\r", "Esc close"),
        SHOT("overlay_scope", AT_ALL),
        CLOSE,
        OPEN("/config\r", "Esc close"),
        SHOT("overlay_config", AT_ALL),
        KEYS("ui.theme\r"),
        SEE("leave it"),
        SHOT("overlay_config_edit", AT_ALL),
        KEYS(ESC),
        UNSEE("leave it"),
        CLOSE,
        OPEN("/config limits.max_turns many\r", "integer"),
        SHOT("error_config", AT_SOME),
        OPEN("/queue\r", "the queue is empty"),
        SHOT("overlay_queue_empty", AT_SOME),
        OPEN("/tasks\r", "Tasks"),
        SHOT("overlay_tasks_empty", AT_SOME),
        CLOSE,
        OPEN("/restore\r", "Restore"),
        SHOT("overlay_restore_empty", AT_SOME),
        END,
    };
    static const struct screen_run run = { .name = "pickers", .steps = steps };

    screen_play(state, &run);
}

static const char two_turns[] =
    "reply\n" USAGE "    call Read {\"file_path\": \"src/range.c\"}\n"
    "reply\n" USAGE "    call Edit {\"file_path\": \"src/range.c\", \"old_string\": \"i < hi\", "
    "\"new_string\": \"i <= hi\"}\n"
    "reply\n" USAGE "    text \"The last element is counted now.\"\n"
    "reply\n" USAGE
    "    call Write {\"file_path\": \"src/changes.h\", \"content\": \"/* none */\\n\"}\n"
    "reply\n" USAGE "    text \"The changelog is there.\"\n"
    "reply\n" USAGE "    text \"A new session, a new word.\"\n";

static void test_history(void **state)
{
    static const struct screen_step steps[] = {
        SEE("answers"),
        ASK("count the last element of a range too\r", "is counted now"),
        ASK("and write a changelog, which says in plain words what changed and since when\r",
            "changelog is there"),
        OPEN("/status\r", "Esc close"),
        SHOT("overlay_status", AT_ALL & ~AT_SMALL),
        CLOSE,
        OPEN("/cost\r", "Esc close"),
        SHOT("overlay_cost", AT_ALL),
        CLOSE,
        OPEN("/logs\r", "Esc close"),
        SHOT("overlay_logs", AT_SOME | AT_120),
        CLOSE,
        OPEN("/model\r", "Esc close"),
        SHOT("overlay_model", AT_ALL),
        CLOSE,
        OPEN("\022", "Esc close"),
        SHOT("overlay_history", AT_SOME | AT_120),
        KEYS("change"),
        SHOT("overlay_history_narrowed", AT_SOME),
        CLOSE,
        OPEN(ESC ESC, "Esc close"),
        SHOT("overlay_backtrack", AT_ALL),
        CLOSE,
        OPEN("/restore\r", "Restore"),
        SEE("1 removed"),
        SHOT("overlay_restore", AT_ALL),
        KEYS("\r"),
        SEE("waiting for you"),
        SHOT("card_restore", AT_ALL),
        END,
    };
    static const struct screen_run run = { .name = "history",
                                           .settings = BUILD "permission_profile = \"trusted\"\n",
                                           .scenario = two_turns,
                                           .steps = steps };

    screen_play(state, &run);
}

static void test_sessions(void **state)
{
    static const struct screen_step steps[] = {
        SEE("answers"),
        ASK("count the last element of a range too\r", "is counted now"),
        OPEN("/rename the last element\r", "is called"),
        SHOT("renamed", AT_SOME),
        OPEN("/new\r", "Welcome"),
        ASK("and write a changelog, which says in plain words what changed and since when\r",
            "changelog is there"),
        OPEN("/sessions\r", "Esc close"),
        SHOT("overlay_sessions", AT_ALL),
        KEYS(DOWN),
        SEE("is counted now"),
        SHOT("overlay_sessions_second", AT_SOME),
        KEYS("\r"),
        UNSEE("Esc close"),
        SEE("is counted now"),
        SHOT("resumed", AT_SOME | AT_120),
        END,
    };
    static const struct screen_run run = { .name = "sessions",
                                           .settings = BUILD "permission_profile = \"trusted\"\n",
                                           .scenario = two_turns,
                                           .steps = steps };

    screen_play(state, &run);
}

/* ---- cards ---- */

static const struct screen_run cards[] = {
    { .name = "card_command",
      .settings = BUILD,
      .scenario = "reply\n" USAGE
                  "    text \"The dependency needs to be there before the tests can run.\"\n"
                  "    call Bash {\"command\": \"curl -fsSO "
                  "https://example.org/data/ranges.tar.gz\"}\n" },
    { .name = "card_edit",
      .settings = BUILD,
      .project = "[guard]\nask = [\"tool:Edit\", \"tool:Write\"]\n",
      .scenario =
          "reply\n" USAGE "    call Read {\"file_path\": \"src/range.c\"}\n"
          "reply\n" USAGE "    text \"The loop stops one short.\"\n"
          "    call Edit {\"file_path\": \"src/range.c\", \"old_string\": \"    for (int i "
          "= lo; i < hi; i++)\\n        sum += i;\", \"new_string\": \"    for (int i = lo; i "
          "<= hi; i++)\\n        sum += i; /* hi too */\"}\n" },
    { .name = "card_write",
      .settings = BUILD,
      .project = "[guard]\nask = [\"tool:Edit\", \"tool:Write\"]\n",
      .scenario =
          "reply\n" USAGE
          "    call Write {\"file_path\": \"src/long.c\", \"content\": \"int a;\\nint b;\\nint "
          "c;\\nint d;\\nint e;\\nint f;\\nint g;\\nint h;\\nint i;\\nint j;\\nint k;\\nint "
          "l;\\nint m;\\nint n;\\nint o;\\nint p;\\nint q;\\nint r;\\nint s;\\nint t;\\nint "
          "u;\\nint v;\\n\"}\n" },
    { .name = "card_destructive",
      .settings = BUILD,
      .scenario = "reply\n" USAGE "    text \"I will start over.\"\n"
                  "    call Bash {\"command\": \"rm -rf src tests\"}\n" },
    { .name = "card_question",
      .settings = BUILD,
      .scenario =
          "reply\n" USAGE "    text \"One thing is not clear.\"\n"
          "    call AskUser {\"question\": \"Should the range **include** its last element, "
          "or stay half-open as the callers expect it?\", \"options\": [\"include it and "
          "change the callers\", \"stay half-open and fix the docs\", \"日本語で答える\"]}\n" },
    { .name = "card_question_open",
      .settings = BUILD,
      .scenario = "reply\n" USAGE
                  "    call AskUser {\"question\": \"What shall the module be called?\"}\n" },
    { .name = "card_several",
      .settings = BUILD,
      .scenario = "reply\n" USAGE "    text \"Both are needed.\"\n"
                  "    call Read {\"file_path\": \".env\"}\n"
                  "    call Read {\"file_path\": \"/etc/shadow\"}\n" },
};

/* Forty lines that are written, and behind them what the card is about. */
#define TEN(n)                                                          \
    "row " n "0\\nrow " n "1\\nrow " n "2\\nrow " n "3\\nrow " n "4\\n" \
    "row " n "5\\nrow " n "6\\nrow " n "7\\nrow " n "8\\nrow " n "9\\n"

static const char long_command[] =
    "reply\n" USAGE "    text \"I will write it down and start over.\"\n"
    "    call Bash {\"command\": \"cat > src/notes.txt <<'END'\\n" TEN("0") TEN("1") TEN("2")
        TEN("3") "END\\nrm -rf src tests && ls\"}\n";

static void test_card_long(void **state)
{
    static const struct screen_step steps[] = {
        SEE("answers"),
        KEYS("go on\r"),
        SEE("waiting for you"),
        SHOT("card_long", AT_ALL),
        KEYS(LEADER HOME),
        SEE("row 00"),
        SHOT("card_long_top", AT_80 | AT_120),
        END,
    };
    static const struct screen_run run = {
        .name = "long", .settings = BUILD, .scenario = long_command, .steps = steps
    };

    screen_play(state, &run);
}

/* What a terminal would show as nothing or as a blank has marks. */
static void test_card_odd(void **state)
{
    static const struct screen_step steps[] = {
        SEE("answers"),
        KEYS("go on\r"),
        SEE("waiting for you"),
        KEYS(LEADER HOME),
        SEE("make test"),
        SHOT("card_odd", AT_40 | AT_80 | AT_120),
        END,
    };
    static const struct screen_run run = {
        .name = "odd",
        .settings = BUILD,
        .scenario = "reply\n" USAGE "    call Bash {\"command\": \"make test A='a\\tb' B='c\\rd' "
                    "C='e\\u00a0f' D='g\\u200bh' E='i\\u202ej'   \\n"
                    "make all                                                           \\n"
                    "make more\\r\\nmake last \"}\n",
        .steps = steps
    };

    screen_play(state, &run);
}

/* More lines than any screen has: the last one is reached, and so is what stands behind it. */
#define FIFTY                                                                                              \
    "a;\\nb;\\nc;\\nd;\\ne;\\nf;\\ng;\\nh;\\ni;\\nj;\\na;\\nb;\\nc;\\nd;\\ne;\\nf;\\ng;\\nh;\\ni;\\nj;\\n" \
    "a;\\nb;\\nc;\\nd;\\ne;\\nf;\\ng;\\nh;\\ni;\\nj;\\na;\\nb;\\nc;\\nd;\\ne;\\nf;\\ng;\\nh;\\ni;\\nj;\\n" \
    "a;\\nb;\\nc;\\nd;\\ne;\\nf;\\ng;\\nh;\\ni;\\nj;\\n"

static void test_card_write_end(void **state)
{
    static const struct screen_step steps[] = {
        SEE("answers"),
        KEYS("go on\r"),
        SEE("waiting for you"),
        KEYS(PGDN PGDN),
        SEE("above"),
        SHOT("card_write_middle", AT_40 | AT_80 | AT_120),
        KEYS(LEADER END_KEY),
        SEE("last line"),
        SHOT("card_write_end", AT_120),
        KEYS(LEADER END_KEY), /* the other size moved it */
        SEE("last line"),
        SHOT("card_write_end", AT_80),
        END,
    };
    static const struct screen_run run = {
        .name = "write_end",
        .settings = BUILD,
        .project = "[guard]\nask = [\"tool:Write\"]\n",
        .scenario = "reply\n" USAGE
                    "    call Write {\"file_path\": \"src/long.c\", \"content\": \"" FIFTY FIFTY
                    "last line\\n\"}\n",
        .steps = steps
    };

    screen_play(state, &run);
}

/* What is longer than a card holds says so, and is not offered for longer than once. */
static void test_card_partly(void **state)
{
    static const struct screen_step steps[] = {
        SEE("answers"),
        KEYS("go on\r"),
        SEE("waiting for you"),
        SHOT("card_partly", AT_40 | AT_80 | AT_120),
        KEYS("s"),
        SEE("cannot be shown whole"),
        END,
    };
    static const struct screen_run run = {
        .name = "partly",
        .scenario = "reply\n" USAGE "    call Write {\"file_path\": \"src/long.c\", \"content\": "
                    "\"${fill:1200k}\"}\n",
        .steps = steps
    };

    screen_play(state, &run);
}

/* Everything that would be lost has a line, below what stands there in any case. */
static void test_card_lost(void **state)
{
    static const struct screen_step steps[] = {
        SEE("answers"),
        KEYS("go on\r"),
        SEE("waiting for you"),
        SHOT("card_lost", AT_80 | AT_120),
        KEYS(LEADER END_KEY),
        SEE("PgUp"),
        SHOT("card_lost_end", AT_80),
        END,
    };
    static const struct screen_run run = {
        .name = "lost",
        .settings = BUILD,
        .scenario = "reply\n" USAGE
                    "    call Bash {\"command\": \"rm -f src/a.txt src/b.txt src/c.txt src/d.txt "
                    "src/e.txt src/f.txt src/g.txt src/h.txt\"}\n",
        .steps = steps
    };

    screen_play(state, &run);
}

/* What is written on a card, and the keys there are meanwhile. */
static void test_card_words(void **state)
{
    static const struct screen_step steps[] = {
        SEE("answers"),
        KEYS("go on\r"),
        SEE("waiting for you"),
        KEYS("e"),
        SEE("run it"),
        KEYS(" V=1"),
        SEE("make test V=1"),
        SHOT("card_amend", AT_SOME | AT_120),
        KEYS(ESC "d"),
        SEE("refuse with these words"),
        KEYS("the tests take an hour here, and nobody waits for them; run the one of the range "
             "alone\nand say which of its cases fail"),
        SEE("cases fail"),
        SHOT("card_why", AT_SOME | AT_120),
        SHOT("card_too_small", AT_19),
        END,
    };
    static const struct screen_run run = { .name = "words",
                                           .settings = BUILD,
                                           .scenario =
                                               "reply\n" USAGE "    text \"First the tests.\"\n"
                                               "    call Bash {\"command\": \"make test\"}\n",
                                           .steps = steps };

    screen_play(state, &run);
}

static void play_card(void **state, size_t index)
{
    const struct screen_step steps[] = {
        SEE("answers"),
        KEYS("go on\r"),
        SEE("waiting for you"),
        SHOT(cards[index].name, AT_ALL),
        END,
    };
    struct screen_run run = cards[index];

    run.steps = steps;
    screen_play(state, &run);
}

static void test_card_command(void **state)
{
    play_card(state, 0);
}

static void test_card_edit(void **state)
{
    play_card(state, 1);
}

static void test_card_write(void **state)
{
    play_card(state, 2);
}

static void test_card_destructive(void **state)
{
    play_card(state, 3);
}

static void test_card_question(void **state)
{
    play_card(state, 4);
}

static void test_card_question_open(void **state)
{
    play_card(state, 5);
}

static void test_card_several(void **state)
{
    play_card(state, 6);
}

static void test_card_yolo(void **state)
{
    static const struct screen_step steps[] = {
        SEE("Welcome"),
        KEYS("/mode yolo\r"),
        SEE("waiting for you"),
        SHOT("card_yolo", AT_ALL),
        END,
    };
    static const struct screen_run run = { .name = "yolo", .steps = steps };

    screen_play(state, &run);
}

/* A workspace with rules of its own, before anybody said what to think of it. */
static void test_card_trust(void **state)
{
    static const struct screen_step steps[] = {
        SEE("waiting for you"),
        SHOT("card_trust", AT_ALL),
        KEYS("n"),
        SEE("not trusted:"),
        KEYS("/trust list\r"),
        SEE("trust this workspace"),
        SHOT("overlay_trust", AT_SOME),
        END,
    };
    static const struct screen_run run = { .name = "trust",
                                           .asks = true,
                                           .project = "[guard]\nallow = [\"make test\"]\n",
                                           .steps = steps };

    screen_play(state, &run);
}

/* Nobody listens on port 1: what is on this machine does not count. */
static void test_connect(void **state)
{
    static const struct screen_step steps[] = {
        SEE("Welcome"),
        KEYS("/connect\r"),
        SEE("vLLM           no answer"),
        SHOT("overlay_connect", AT_SOME | AT_120),
        KEYS("groq\r"),
        SEE("The key of Groq"),
        SHOT("overlay_connect_key", AT_SOME),
        KEYS("\r"),
        SEE("key ="),
        KEYS("sk-0123"),
        SEE("•••••••"),
        SHOT("overlay_connect_typed", AT_SOME),
        END,
    };
    static const struct screen_run run = {
        .name = "connect",
        .settings = "[models.ollama]\nbase_url = \"http://127.0.0.1:1/v1\"\n"
                    "[models.llamacpp]\nbase_url = \"http://127.0.0.1:1/v1\"\n"
                    "[models.lmstudio]\nbase_url = \"http://127.0.0.1:1/v1\"\n"
                    "[models.vllm]\nbase_url = \"http://127.0.0.1:1/v1\"\n",
        .steps = steps,
    };

    screen_play(state, &run);
}

#define SCREEN(test) cmocka_unit_test_setup_teardown(test, screen_setup, screen_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCREEN(test_pickers),          SCREEN(test_history),        SCREEN(test_sessions),
        SCREEN(test_card_command),     SCREEN(test_card_edit),      SCREEN(test_card_write),
        SCREEN(test_card_destructive), SCREEN(test_card_question),  SCREEN(test_card_question_open),
        SCREEN(test_card_several),     SCREEN(test_card_yolo),      SCREEN(test_card_trust),
        SCREEN(test_card_odd),         SCREEN(test_card_write_end), SCREEN(test_card_partly),
        SCREEN(test_card_lost),        SCREEN(test_card_long),      SCREEN(test_card_words),
        SCREEN(test_connect),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
