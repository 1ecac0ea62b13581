/*
 * The terminal without a conversation, as golden screens: the start, the badge in all its states, what
 * is written before it is sent, menus, colours, settings that are broken.
 */
#include "support/screen_case.h"

static void test_start(void **state)
{
    static const struct screen_step steps[] = {
        SEE("Welcome"),
        SHOT("start", AT_ALL),
        SHOT("too_small", AT_19),
        KEYS("/"),
        SEE("/help"),
        SHOT("menu_commands", AT_ALL),
        KEYS("mod"),
        SHOT("menu_commands_narrowed", AT_SOME | AT_120),
        KEYS(DOWN),
        SHOT("menu_commands_second", AT_80),
        KEYS(ESC ESC),
        KEYS("look at @"),
        SEE("src/range.c"),
        SHOT("menu_files", AT_SOME | AT_120),
        KEYS("rng"),
        SHOT("menu_files_narrowed", AT_SOME),
        KEYS(ESC ESC),
        KEYS(LEADER),
        SEE("autonomous"),
        SHOT("leader", AT_ALL),
        KEYS("?"),
        SHOT("leader_unknown", AT_SOME),
        KEYS("/hlep\r"),
        SEE("no command"),
        SHOT("error_command", AT_SOME | AT_120),
        KEYS("/mode bulid\r"),
        SEE("no mode"),
        SHOT("error_mode", AT_SOME),
        KEYS("\003"),
        SHOT("quit_once", AT_SOME),
        END,
    };
    static const struct screen_run run = { .name = "start", .steps = steps };

    screen_play(state, &run);
}

static void test_drafts(void **state)
{
    static const struct screen_step steps[] = {
        SEE("Welcome"),
        KEYS(
            "日本語の文字と한국어, 👩‍💻 and 🇩🇪, e\u0301 u\u0308 n\u0303, ﷽ and | the end"),
        SEE("the end"),
        SHOT("draft_wide", AT_ALL),
        KEYS(ESC),
        KEYS("one\ntwo\nthree\n"), /* Line by line, for a burst is a paste. */
        SEE("three"),
        KEYS("four\nfive\nsix\n"),
        SEE("six"),
        KEYS("seven\neight\n"),
        SEE("eight"),
        KEYS("nine\nten\n"),
        SEE("ten"),
        KEYS("eleven\ntwelve"),
        SEE("twelve"),
        SHOT("draft_long", AT_ALL),
        KEYS(ESC),
        KEYS("please read "),
        { PASTE, "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\nn\no\np\nq\nr\ns\nt\nu\nv\nw\nx\ny\nz\n",
          0 },
        KEYS(" and sort it"),
        SEE("and sort it"),
        SHOT("draft_chip", AT_ALL),
        KEYS(ESC),
        SEE("cleared"),
        SHOT("draft_cleared", AT_SOME),
        KEYS("/vim\r"),
        SEE("vim keys are on"),
        KEYS("some words" ESC),
        SHOT("draft_vim", AT_SOME),
        END,
    };
    static const struct screen_run run = { .name = "drafts", .steps = steps };

    screen_play(state, &run);
}

static void test_badge(void **state)
{
    static const struct screen_step steps[] = {
        SEE("Welcome"),
        KEYS("/mode plan\r"),
        SEE("→ plan"),
        SHOT("badge_plan", AT_SMALL | AT_79 | AT_80),
        KEYS("/mode build\r"),
        SEE("→ build"),
        SHOT("badge_build", AT_SMALL | AT_79 | AT_80),
        KEYS("/mode review\r"),
        SEE("→ review"),
        SHOT("badge_review", AT_SMALL | AT_79 | AT_80),
        KEYS("/mode repair\r"),
        SEE("→ repair"),
        SHOT("badge_repair", AT_SMALL | AT_79 | AT_80),
        KEYS("/permission-profile unrestricted\r"),
        SEE("waiting for you"),
        KEYS("y"),
        SEE("→ unrestricted"),
        SHOT("badge_repair_unrestricted", AT_SMALL | AT_79 | AT_80 | AT_120),
        KEYS("/mode research\r"),
        SEE("→ research"),
        SHOT("badge_research", AT_SMALL | AT_79 | AT_80),
        KEYS("/permission-profile restricted\r"),
        SEE("→ restricted"),
        KEYS("/model-mode deep\r"),
        SEE("→ deep"),
        KEYS("/control assisted\r"),
        SEE("→ assisted"),
        SHOT("badge_restricted", AT_SMALL | AT_79 | AT_80),
        KEYS("/mode build\r"),
        SEE("→ build"),
        KEYS("/scope test\r"),
        SEE("scope"),
        SHOT("badge_scope", AT_SMALL | AT_79 | AT_80),
        KEYS("/permissions mode never\r"),
        SEE("nobody is asked"),
        SHOT("badge_never", AT_SMALL | AT_79 | AT_80),
        END,
    };
    static const struct screen_run run = { .name = "badge", .steps = steps };

    screen_play(state, &run);
}

static void test_badge_runs(void **state)
{
    static const struct screen_step steps[] = {
        SEE("Welcome"),
        KEYS("/control autonomous\r"),
        SEE("→ autonomous"),
        SHOT("badge_autonomous", AT_SMALL | AT_79 | AT_80 | AT_200),
        KEYS("/pause\r"),
        SEE("pause off → on"),
        SHOT("badge_paused", AT_SMALL | AT_79 | AT_80 | AT_200),
        END,
    };
    static const struct screen_run run = { .name = "badge of a run", .steps = steps };

    screen_play(state, &run);
}

static const struct screen_step looks_no_color[] = {
    SEE("Welcome"), SHOT("no_color", AT_SOME | AT_120),      KEYS("/theme\r"),
    SEE("mono"),    SHOT("no_color_list", AT_SMALL | AT_80), END,
};

static void test_no_color(void **state)
{
    static const struct screen_run run = { .name = "no colour",
                                           .env = { "NO_COLOR=1" },
                                           .steps = looks_no_color };

    screen_play(state, &run);
}

static void test_sixteen(void **state)
{
    static const struct screen_step steps[] = { SEE("Welcome"), SHOT("sixteen_colours", AT_80),
                                                END };
    static const struct screen_run run = { .name = "sixteen colours",
                                           .env = { "COLORTERM=", "TERM=xterm-16color" },
                                           .steps = steps };

    screen_play(state, &run);
}

static void test_256(void **state)
{
    static const struct screen_step steps[] = {
        SEE("Welcome"),
        KEYS("/theme\r"),
        SEE("mono"),
        SHOT("colours_256_dark", AT_80),
        KEYS(DOWN),
        SEE("▸ light"),
        SHOT("colours_256_light", AT_80),
        END,
    };
    static const struct screen_run run = { .name = "256 colours",
                                           .env = { "COLORTERM=", "TERM=xterm-256color" },
                                           .steps = steps };

    screen_play(state, &run);
}

static void test_themes(void **state)
{
    static const struct screen_step steps[] = {
        SEE("Welcome"),
        KEYS("/theme\r"),
        SEE("high-contrast"),
        SHOT("overlay_theme", AT_ALL),
        KEYS(DOWN),
        SHOT("overlay_theme_light", AT_80),
        KEYS(DOWN DOWN DOWN),
        SEE("▸ catppuccin"),
        SHOT("overlay_theme_catppuccin", AT_80),
        KEYS(DOWN),
        SEE("▸ dracula"),
        SHOT("overlay_theme_dracula", AT_80),
        KEYS(DOWN),
        SEE("▸ github"),
        SHOT("overlay_theme_github", AT_80),
        KEYS(DOWN),
        SEE("▸ gruvbox"),
        SHOT("overlay_theme_gruvbox", AT_80),
        KEYS(DOWN),
        SEE("▸ nord"),
        SHOT("overlay_theme_nord", AT_80),
        KEYS(DOWN),
        SEE("▸ rose-pine"),
        SHOT("overlay_theme_rose_pine", AT_80),
        KEYS(DOWN),
        SEE("▸ solarized"),
        SHOT("overlay_theme_solarized", AT_80),
        KEYS(DOWN),
        SEE("▸ solarized-light"),
        SHOT("overlay_theme_solarized_light", AT_80),
        KEYS(DOWN),
        SEE("▸ tokyo-night"),
        SHOT("overlay_theme_tokyo_night", AT_80),
        KEYS(HOME DOWN),
        SEE("▸ light"),
        KEYS("\r"),
        UNSEE("Esc close"),
        SHOT("theme_light", AT_SOME),
        KEYS("/theme high-contrast\r"),
        SEE("theme high-contrast"),
        SHOT("theme_high_contrast", AT_SOME),
        KEYS("/theme none\r"),
        SEE("no theme called"),
        SHOT("error_theme_name", AT_SOME),
        END,
    };
    static const struct screen_run run = { .name = "themes", .steps = steps };

    screen_play(state, &run);
}

static void test_broken_settings(void **state)
{
    static const struct screen_step steps[] = {
        SEE("Welcome"),
        SHOT("error_theme_and_keys", AT_ALL),
        END,
    };
    static const struct screen_run run = {
        .name = "broken theme and keys",
        .settings = "theme = \"own\"\n[keys]\nsend = \"hyper+q\"\nnewline = \"enter\"\n",
        .theme = "accent = \"no colour\"\n",
        .steps = steps,
    };

    screen_play(state, &run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_start, screen_setup, screen_teardown),
        cmocka_unit_test_setup_teardown(test_drafts, screen_setup, screen_teardown),
        cmocka_unit_test_setup_teardown(test_badge, screen_setup, screen_teardown),
        cmocka_unit_test_setup_teardown(test_badge_runs, screen_setup, screen_teardown),
        cmocka_unit_test_setup_teardown(test_no_color, screen_setup, screen_teardown),
        cmocka_unit_test_setup_teardown(test_sixteen, screen_setup, screen_teardown),
        cmocka_unit_test_setup_teardown(test_256, screen_setup, screen_teardown),
        cmocka_unit_test_setup_teardown(test_themes, screen_setup, screen_teardown),
        cmocka_unit_test_setup_teardown(test_broken_settings, screen_setup, screen_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
