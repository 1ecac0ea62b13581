/*
 * The badge: its forms, what is waiting, what is paused, titles with hostile names, and over
 * every state that it is there, reads back and fits.
 */
#include "base/base.h"
#include "modes/modes.h"
#include "support/mode_state_equal.h"
#include "support/test.h"

#define ARROW "\xe2\x86\x92"

static const struct sf_scope_set scopes = { NULL, 0, true };

static struct sf_mode_state spelled(const char *text)
{
    struct sf_error err = SF_ERROR_INIT;
    struct sf_mode_state s;

    sf_mode_state_init(&s, SF_SURFACE_TUI);
    if (!sf_mode_state_parse(&s, text, &err))
        fail_msg("%s", err.msg);
    if (!strchr(text, ':'))
        sf_mode_state_set_scope(&s, sf_work_default_scope(&scopes, s.work));
    return s;
}

static char text[1024]; /* the badge as plain text */

static const char *plain(const struct sf_badge *badge)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    sf_badge_text(badge, &sb);
    snprintf(text, sizeof(text), "%s", sb.buf);
    sf_strbuf_release(&sb);
    return text;
}

static const struct {
    const char *name, *state, *pending; /* NULL: nothing waits */
    enum sf_badge_form form;
    const char *want;
} cases[] = {
    { "full", "build|autonomous|trusted|smart", NULL, SF_BADGE_FULL,
      "SF build | autonomous | trusted | smart" },
    { "the scope where it differs", "build:test|assisted|normal|smart", NULL, SF_BADGE_FULL,
      "SF build:test | assisted | normal | smart" },
    { "free differs where sources are", "build:free|assisted|normal|smart", NULL, SF_BADGE_FULL,
      "SF build:free | assisted | normal | smart" },
    { "free is chat's own", "chat:free|manual|normal|smart", NULL, SF_BADGE_FULL,
      "SF chat | manual | normal | smart" },
    { "labels", "repair|autonomous|normal|smart", NULL, SF_BADGE_LABELS,
      "repair | autonomous | normal | smart" },
    { "tight", "review|assisted|normal|deep", NULL, SF_BADGE_TIGHT, "review|assisted|normal|deep" },
    { "compact", "build|autonomous|trusted|smart", NULL, SF_BADGE_COMPACT, "[B][A][T][S]" },
    { "compact and assisted", "build|assisted|normal|fast", NULL, SF_BADGE_COMPACT,
      "[B][S][N][F]" },
    { "tiny with the first letter of a scope", "build:test|manual|restricted|deep", NULL,
      SF_BADGE_TINY, "B:t M R D" },
    { "compact with a scope", "build:test|manual|restricted|deep", NULL, SF_BADGE_COMPACT,
      "[B:test][M][R][D]" },
    { "compact research", "research|autonomous|unrestricted|deep", NULL, SF_BADGE_COMPACT,
      "[R][A][U][D]" },
    { "repair is never short", "repair|autonomous|normal|smart", NULL, SF_BADGE_COMPACT,
      "[repair][A][N][S]" },
    { "nor is review", "review|assisted|normal|deep", NULL, SF_BADGE_COMPACT, "[review][S][N][D]" },
    { "a mode waits", "build|autonomous|trusted|smart", "repair|autonomous|normal|smart",
      SF_BADGE_FULL, "SF build" ARROW "repair | autonomous | trusted" ARROW "normal | smart" },
    { "a mode waits, compact", "build|autonomous|trusted|smart", "repair|autonomous|trusted|smart",
      SF_BADGE_COMPACT, "[B" ARROW "repair][A][T][S]" },
    { "a scope waits", "build|assisted|normal|smart", "build:test|assisted|normal|smart",
      SF_BADGE_FULL, "SF build" ARROW "build:test | assisted | normal | smart" },
    { "a pause waits", "build|autonomous|normal|smart", "build|paused|normal|smart", SF_BADGE_FULL,
      "SF build | autonomous" ARROW "paused | normal | smart" },
    { "what waits changes nothing", "build|manual|normal|smart", "build|manual|normal|smart",
      SF_BADGE_FULL, "SF build | manual | normal | smart" },
    { "paused", "build|paused|trusted|smart", NULL, SF_BADGE_FULL,
      "SF build | paused | trusted | smart" },
    { "paused, compact", "build|paused|trusted|smart", NULL, SF_BADGE_COMPACT,
      "[B][paused][T][S]" },
};

static void test_forms(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        struct sf_mode_state now = spelled(cases[i].state);
        struct sf_mode_state next = spelled(cases[i].pending ? cases[i].pending : cases[i].state);
        const struct sf_badge_facts facts = { .state = &now,
                                              .pending = cases[i].pending ? &next : NULL,
                                              .scopes = &scopes };
        struct sf_badge badge;

        sf_badge_make(&badge, &facts, cases[i].form);
        if (strcmp(plain(&badge), cases[i].want) != 0)
            fail_msg("%s: %s", cases[i].name, text);
        if (badge.width != sf_text_width(text, strlen(text)))
            fail_msg("%s: %zu columns", cases[i].name, badge.width);
    }
}

static const struct {
    const char *name, *state;
    size_t columns;
    const char *want;
} widths[] = {
    { "wide", "build|autonomous|trusted|smart", 80, "SF build | autonomous | trusted | smart" },
    { "very wide", "chat|manual|normal|smart", 1000, "SF chat | manual | normal | smart" },
    { "one column short", "build|autonomous|trusted|smart", 79, "[B][A][T][S]" },
    { "tiny", "build|autonomous|trusted|smart", 3, "[B][A][T][S]" },
    { "no screen at all", "build|autonomous|trusted|smart", 0, "[B][A][T][S]" },
    { "repair under eighty", "repair|autonomous|normal|smart", 50,
      "SF repair | autonomous | normal | smart" },
    { "repair without its logo", "repair|autonomous|normal|smart", 36,
      "repair | autonomous | normal | smart" },
    { "repair, tight", "repair|autonomous|normal|smart", 35, "repair|autonomous|normal|smart" },
    { "repair where its labels do not fit", "repair|autonomous|normal|smart", 29,
      "[repair][A][N][S]" },
    { "repair beyond the screen", "repair|autonomous|normal|smart", 10, "[repair][A][N][S]" },
    { "review under eighty", "review|assisted|normal|deep", 79,
      "SF review | assisted | normal | deep" },
};

static void test_widths(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(widths); i++) {
        struct sf_mode_state now = spelled(widths[i].state);
        const struct sf_badge_facts facts = { .state = &now, .scopes = &scopes };
        struct sf_badge badge;

        sf_badge_fit(&badge, &facts, widths[i].columns);
        if (strcmp(plain(&badge), widths[i].want) != 0)
            fail_msg("%s: %s", widths[i].name, text);
    }
}

/* The longest badge there can be still fits its arrays, and a screen of eighty gets less. */
static void test_the_longest(void **state)
{
    struct sf_mode_state now =
        spelled("research:aaaaaaaabbbbbbbbccccccccdddddddd|autonomous|unrestricted|smart");
    struct sf_mode_state next =
        spelled("research:aaaaaaaabbbbbbbbcccccccceeeeeeee|assisted|restricted|deep");
    const struct sf_badge_facts facts = { .state = &now, .pending = &next, .scopes = &scopes };
    struct sf_badge badge;

    (void)state;
    sf_badge_make(&badge, &facts, SF_BADGE_FULL);
    assert_string_equal(plain(&badge),
                        "SF research:aaaaaaaabbbbbbbbccccccccdddddddd" ARROW
                        "research:aaaaaaaabbbbbbbbcccccccceeeeeeee | autonomous" ARROW
                        "assisted | unrestricted" ARROW "restricted | smart" ARROW "deep");
    assert_int_equal(badge.width, sf_text_width(text, strlen(text)));
    sf_badge_fit(&badge, &facts, 100);
    assert_int_equal(badge.form, SF_BADGE_COMPACT);
}

static const struct sf_badge_segment *segment(const struct sf_badge *badge, const char *want)
{
    size_t at = 0;

    while (at + 1 < badge->count && strcmp(badge->segments[at].text, want) != 0)
        at++;
    assert_string_equal(badge->segments[at].text, want);
    return &badge->segments[at];
}

static void test_colours(void **state)
{
    struct sf_mode_state s = spelled("repair|autonomous|unrestricted|smart");
    struct sf_badge_facts facts = { .state = &s, .scopes = &scopes, .runs = true };
    struct sf_badge badge;

    (void)state;
    sf_badge_make(&badge, &facts, SF_BADGE_FULL);
    assert_int_equal(segment(&badge, "repair")->role, SF_STYLE_ERROR);
    assert_int_equal(segment(&badge, "autonomous")->role, SF_STYLE_SUCCESS);
    assert_true(segment(&badge, "autonomous")->pulse);
    assert_false(segment(&badge, "repair")->pulse || segment(&badge, "repair")->dim);
    assert_int_equal(segment(&badge, "unrestricted")->role, SF_STYLE_ERROR);
    assert_true(segment(&badge, " | ")->dim);
    facts.runs = false; /* Nothing drives while nothing runs. */
    sf_badge_make(&badge, &facts, SF_BADGE_FULL);
    assert_false(segment(&badge, "autonomous")->pulse);
    s.paused = true;
    sf_badge_make(&badge, &facts, SF_BADGE_FULL);
    for (size_t i = 0; i < badge.count; i++)
        assert_true(badge.segments[i].dim && !badge.segments[i].pulse);
}

static const struct {
    const char *name, *state, *project, *want;
} titles[] = {
    { "plain", "build|autonomous|trusted|smart", "demo", "SF[build|A|trusted|smart] demo" },
    { "a scope", "build:test|assisted|normal|deep", "demo", "SF[build:test|S|normal|deep] demo" },
    { "paused", "build|paused|normal|deep", "demo", "SF[build|paused|normal|deep] demo" },
    { "repair", "repair|autonomous|normal|smart", "demo", "SF[repair|A|normal|smart] demo" },
    { "no name", "chat|manual|normal|smart", "", "SF[chat|M|normal|smart]" },
    { "an escape in the name", "chat|manual|normal|smart", "a\x1b]0;x\x07",
      "SF[chat|M|normal|smart] a\xe2\x90\x9b]0;x\xe2\x90\x87" },
    { "a line break in the name", "chat|manual|normal|smart", "a\nb",
      "SF[chat|M|normal|smart] a b" },
    { "a C1 string terminator", "chat|manual|normal|smart", "a\xc2\x9c",
      "SF[chat|M|normal|smart] a\xef\xbf\xbd" },
    { "a name turned around", "chat|manual|normal|smart",
      "a\xe2\x80\xae"
      "b",
      "SF[chat|M|normal|smart] a\xef\xbf\xbd"
      "b" },
    { "damage", "chat|manual|normal|smart", "\xff", "SF[chat|M|normal|smart] \xef\xbf\xbd" },
    { "a long name", "chat|manual|normal|smart", "0123456789012345678901234567890123456789abcdef",
      "SF[chat|M|normal|smart] 0123456789012345678901234567890123456789" },
};

static void test_titles(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(titles); i++) {
        struct sf_mode_state s = spelled(titles[i].state);
        const struct sf_badge_facts facts = { .state = &s, .scopes = &scopes };
        struct sf_strbuf sb = SF_STRBUF_INIT;
        bool same;

        sf_badge_title(&facts, titles[i].project, &sb);
        same = !strcmp(sb.buf, titles[i].want);
        snprintf(text, sizeof(text), "%s", sb.buf);
        sf_strbuf_release(&sb);
        if (!same)
            fail_msg("%s: %s", titles[i].name, text);
    }
}

static void check_state(const struct sf_mode_state *s)
{
    const struct sf_badge_facts facts = { .state = s, .scopes = &scopes };
    struct sf_mode_state again = *s;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_badge full, shorter;

    again.work = SF_WORK_CHAT;
    again.control = SF_RUN_MANUAL;
    again.profile = SF_PROFILE_NORMAL;
    again.model = SF_MODEL_SMART;
    again.paused = false;
    sf_badge_make(&full, &facts, SF_BADGE_FULL);
    assert_true(full.width > 0 && sf_mode_state_parse(&again, plain(&full), &err));
    assert_true(mode_state_equal(s, &again)); /* the scope was kept where it is not shown */
    for (int form = SF_BADGE_LABELS; form <= SF_BADGE_COMPACT; form++) {
        sf_badge_make(&shorter, &facts, (enum sf_badge_form)form);
        assert_true(shorter.width > 0 && shorter.width <= full.width);
        plain(&shorter);
        assert_int_equal(shorter.width, sf_text_width(text, strlen(text)));
    }
}

static void test_every_state(void **state)
{
    static const char *const names[] = { "free", "implement", "docs", "explore", "review" };
    struct sf_mode_state s;

    (void)state;
    for (int n = 0; n < 6 * 3 * 4 * 3 * 4; n++)
        for (size_t i = 0; i < SF_COUNT(names); i++) {
            int rest = n;

            sf_mode_state_init(&s, SF_SURFACE_TUI);
            for (int a = 0; a < SF_AXIS_COUNT; rest /= sf_axes[a].count, a++)
                sf_mode_state_set(&s, (enum sf_axis)a, rest % sf_axes[a].count);
            s.paused = s.control == SF_RUN_AUTONOMOUS && i % 2;
            sf_mode_state_set_scope(&s, names[i]);
            check_state(&s);
        }
}

/* Under `never` a badge that says unrestricted would lie by what it leaves out. */
static void test_approval_mode(void **state)
{
    static const struct {
        enum sf_badge_form form;
        const char *want;
    } rows[] = {
        { SF_BADGE_FULL, "SF build | assisted | unrestricted | smart (approval: never)" },
        { SF_BADGE_LABELS, "build | assisted | unrestricted | smart (approval: never)" },
        { SF_BADGE_TIGHT, "build|assisted|unrestricted|smart(never)" },
        { SF_BADGE_COMPACT, "[B][S][U][S](never)" },
        { SF_BADGE_TINY, "B S U S(n)" },
    };
    struct sf_strbuf out = SF_STRBUF_INIT;
    struct sf_mode_state s = spelled("build|assisted|unrestricted|smart");
    const struct sf_badge_facts facts = { .state = &s, .scopes = &scopes, .approval = "never" };
    struct sf_badge badge;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(rows); i++) {
        sf_strbuf_reset(&out);
        sf_badge_make(&badge, &facts, rows[i].form);
        sf_badge_text(&badge, &out);
        assert_string_equal(out.buf, rows[i].want);
        assert_int_equal(badge.width, strlen(rows[i].want));
    }
    sf_strbuf_reset(&out);
    sf_badge_title(&facts, "demo", &out);
    assert_string_equal(out.buf, "SF[build|S|unrestricted|smart](never) demo");
    sf_strbuf_release(&out);
}

/* On the smallest screen, 20 columns less two, nothing of what is in force is cut off. */
static void test_smallest(void **state)
{
    static const char *const modes[] = { "never", "auto", NULL };
    static const char *const states[] = { "build|assisted|unrestricted|smart",
                                          "build:docs|paused|restricted|deep",
                                          "review:docs|manual|trusted|fast",
                                          "repair:test|autonomous|normal|smart" };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(states) * SF_COUNT(modes); i++) {
        struct sf_mode_state s = spelled(states[i / SF_COUNT(modes)]);
        const char *mode = modes[i % SF_COUNT(modes)];
        const struct sf_badge_facts facts = { .state = &s, .scopes = &scopes, .approval = mode };
        struct sf_badge badge;
        char want[16];

        sf_badge_fit(&badge, &facts, 18);
        snprintf(want, sizeof(want), "%s%.1s", mode ? "(" : "", mode ? mode : "");
        if (badge.width > 18 || !strstr(plain(&badge), want))
            fail_msg("%s", plain(&badge));
    }
}

static const struct {
    const char *name, *state, *pending, *want;
    bool runs;
} pauses[] = {
    { "something runs still", "build|paused|normal|smart", NULL,
      "SF build | pausing | normal | smart", true },
    { "nothing runs any more", "build|paused|normal|smart", NULL,
      "SF build | paused | normal | smart", false },
    { "a pause waits for a tool", "build|autonomous|normal|smart", "build|paused|normal|smart",
      "SF build | autonomous" ARROW "pausing | normal | smart", true },
};

static void test_pausing(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(pauses); i++) {
        struct sf_mode_state now = spelled(pauses[i].state);
        struct sf_mode_state next =
            spelled(pauses[i].pending ? pauses[i].pending : pauses[i].state);
        const struct sf_badge_facts facts = {
            .state = &now, .pending = &next, .scopes = &scopes, .runs = pauses[i].runs
        };
        struct sf_badge badge;

        sf_badge_make(&badge, &facts, SF_BADGE_FULL);
        if (strcmp(plain(&badge), pauses[i].want) != 0)
            fail_msg("%s: %s", pauses[i].name, text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_approval_mode), cmocka_unit_test(test_forms),
        cmocka_unit_test(test_widths),        cmocka_unit_test(test_the_longest),
        cmocka_unit_test(test_colours),       cmocka_unit_test(test_titles),
        cmocka_unit_test(test_every_state),   cmocka_unit_test(test_smallest),
        cmocka_unit_test(test_pausing),
    };

    return cmocka_run_group_tests_name("badge", tests, NULL, NULL);
}
