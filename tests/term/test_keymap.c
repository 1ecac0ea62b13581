/*
 * Keys and what they do: chords read and shown, the default table, leaders, rebinding, and what a
 * terminal without a keyboard protocol is told.
 */
#include "base/base.h"
#include "support/test.h"
#include "term/term.h"

static int setup(void **state)
{
    *state = sf_keymap_new();
    return 0;
}

static int teardown(void **state)
{
    sf_keymap_free(*state);
    return 0;
}

/* ---- chords ---- */

static const struct {
    const char *text, *shown;
    bool plain;
} chords[] = {
    { "ctrl+x m", "Ctrl+X m", true },
    { "Ctrl+X M", "Ctrl+X m", true },
    { "^x m", "Ctrl+X m", true },
    { "  ctrl+x   home ", "Ctrl+X Home", true },
    { "alt+enter", "Alt+Enter", true },
    { "ALT+RETURN", "Alt+Enter", true },
    { "meta+m", "Alt+M", true },
    { "alt+shift+m", "Alt+Shift+M", true },
    { "f1", "F1", true },
    { "F24", "F24", true },
    { "shift+tab", "Shift+Tab", true },
    { "pgup", "PgUp", true },
    { "pagedown", "PgDn", true },
    { "esc", "Esc", true },
    { "ctrl+[", "Esc", true },
    { "ctrl+j", "Ctrl+J", true },
    { "ctrl+space", "Ctrl+Space", true },
    { "ctrl+@", "Ctrl+Space", true },
    { "ctrl+_", "Ctrl+_", true },
    { "ctrl+shift+_", "Ctrl+_", true },
    { "ctrl+\\", "Ctrl+\\", true },
    { "alt+<", "Alt+<", true },
    { "alt++", "Alt++", true },
    { "alt+comma", "Alt+Comma", true },
    { "alt+,", "Alt+Comma", true },
    { "ctrl+left", "Ctrl+Left", true },
    { "control+alt+h", "Ctrl+Alt+H", true },
    { "alt+\xc3\x89", "Alt+\xc3\x89", true },
    { "m", "m", true },
    { "+", "+", true },
    { "^", "^", true },
    { "ctrl+m", "Ctrl+M", false },
    { "ctrl+i", "Ctrl+I", false },
    { "ctrl+shift+m", "Ctrl+Shift+M", false },
    { "ctrl+1", "Ctrl+1", false },
    { "ctrl+/", "Ctrl+/", false },
    { "ctrl+\xc3\xa9", "Ctrl+\xc3\x89", false },
    { "shift+enter", "Shift+Enter", false },
    { "ctrl+enter", "Ctrl+Enter", false },
    { "ctrl+backspace", "Ctrl+Backspace", false },
    { "shift+esc", "Shift+Esc", false },
    { "alt+[", "Alt+[", false },
    { "alt+_", "Alt+_", false },
    { "alt+shift+o", "Alt+Shift+O", false },
    { "super+k", "Super+K", false },
    { "super+up", "Super+Up", false },
    { "ctrl+x ctrl+shift+m", "Ctrl+X Ctrl+Shift+M", false },
    { "super+ctrl+alt+shift+backspace ctrl+backspace",
      "Super+Ctrl+Alt+Shift+Backspace Ctrl+Backspace", false },
};

static void test_chords(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(chords); i++) {
        struct sf_error err = SF_ERROR_INIT;
        struct sf_chord chord, again;
        char shown[SF_CHORD_TEXT];

        if (!sf_chord_parse(&chord, chords[i].text, &err))
            fail_msg("%s: %s", chords[i].text, err.msg);
        sf_chord_text(&chord, shown);
        if (strcmp(shown, chords[i].shown) != 0)
            fail_msg("%s: shown as %s", chords[i].text, shown);
        if (sf_chord_is_plain(&chord) != chords[i].plain)
            fail_msg("%s: plain is %d", chords[i].text, !chords[i].plain);
        if (!sf_chord_parse(&again, shown, &err) || memcmp(&again, &chord, sizeof(chord)) != 0)
            fail_msg("%s: %s does not read back", chords[i].text, shown);
    }
}

static const struct {
    const char *text, *msg, *hint;
} bad_chords[] = {
    { "", "there is no key in \"\"", "ctrl+x m" },
    { "   ", "there is no key in", "ctrl+x m" },
    { "ctrl+", "there is no key called \"ctrl\"", "did you mean Ctrl?" },
    { "ctlr+x", "there is no key called \"ctlr\", in \"ctlr+x\"", "did you mean Ctrl?" },
    { "ctrl+entr", "there is no key called \"entr\"", "did you mean Enter?" },
    { "f25", "there is no key called \"f25\"", "" },
    { "f0", "there is no key called \"f0\"", "" },
    { "f01", "there is no key called \"f01\"", "" },
    { "ctrl+x m n", "\"ctrl+x m n\" has too many keys", "ctrl+x m" },
    { "ctrl+\033", "there is no key called \"\xe2\x90\x9b\"", "" },
    { "ctrl+\xff", "there is no key called \"\xef\xbf\xbd\"", "" },
    { "ctrl+ab", "there is no key called \"ab\"", "" },
};

static void test_bad_chords(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(bad_chords); i++) {
        const struct sf_chord before = { { { 'q', SF_MOD_CTRL }, { 0, 0 } } };
        struct sf_error err = SF_ERROR_INIT;
        struct sf_chord chord = before;

        if (sf_chord_parse(&chord, bad_chords[i].text, &err))
            fail_msg("%s was read", bad_chords[i].text);
        if (!strstr(err.msg, bad_chords[i].msg) || !strstr(err.hint, bad_chords[i].hint))
            fail_msg("%s: %s (%s)", bad_chords[i].text, err.msg, err.hint);
        assert_memory_equal(&chord, &before, sizeof(chord));
    }
}

/* ---- the table ---- */

static void test_every_action_has_one_row_and_a_first_key_that_arrives(void **state)
{
    struct sf_keymap *map = *state;
    int seen[SF_ACTION_COUNT] = { 0 };

    for (size_t i = 0; i < sf_action_row_count; i++)
        seen[sf_action_rows[i].action]++;
    for (int a = SF_ACTION_NONE + 1; a < SF_ACTION_COUNT; a++) {
        struct sf_chord chord;

        if (seen[a] != 1)
            fail_msg("action %d has %d rows", a, seen[a]);
        if (!sf_keymap_chord(map, (enum sf_action_id)a, 0, &chord) || !sf_chord_is_plain(&chord))
            fail_msg("action %d has no first key that every terminal sends", a);
    }
}

static enum sf_action_id press(struct sf_keymap *map, const char *text, bool *waits)
{
    enum sf_action_id action = SF_ACTION_NONE;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_chord chord;

    *waits = false;
    if (!sf_chord_parse(&chord, text, &err))
        fail_msg("%s: %s", text, err.msg);
    for (size_t k = 0; k < SF_BINDING_KEYS && chord.keys[k].code; k++)
        action = sf_keymap_feed(map, &chord.keys[k], waits);
    return action;
}

static void test_every_default_key_does_its_action(void **state)
{
    struct sf_keymap *map = *state;
    bool waits;

    for (int a = SF_ACTION_NONE + 1; a < SF_ACTION_COUNT; a++) {
        struct sf_chord chord;

        for (size_t i = 0; sf_keymap_chord(map, (enum sf_action_id)a, i, &chord); i++) {
            char text[SF_CHORD_TEXT];

            sf_chord_text(&chord, text);
            if (press(map, text, &waits) != (enum sf_action_id)a || waits)
                fail_msg("%s does not do %d", text, a);
        }
    }
}

static const struct {
    const char *name, *first, *second;
    enum sf_action_id want;
} presses[] = {
    { "a chord", "ctrl+shift+m", NULL, SF_ACTION_WORK_MODE },
    { "an unbound key", "ctrl+shift+k", NULL, SF_ACTION_NONE },
    { "Ctrl+Shift+C is not Ctrl+C", "ctrl+shift+c", NULL, SF_ACTION_NONE },
    { "caps lock and Alt", "alt+shift+m", NULL, SF_ACTION_WORK_MODE },
    { "Shift means nothing to Backspace", "shift+backspace", NULL, SF_ACTION_BACKSPACE },
    { "Shift means nothing to Left", "shift+left", NULL, SF_ACTION_LEFT },
    { "Shift means something to Enter", "shift+enter", NULL, SF_ACTION_NEWLINE },
    { "Ctrl+Enter is no Enter", "ctrl+enter", NULL, SF_ACTION_NONE },
    { "behind the leader", "ctrl+x", "m", SF_ACTION_WORK_MODE },
    { "Shift held", "ctrl+x", "shift+m", SF_ACTION_WORK_MODE },
    { "Ctrl held", "ctrl+x", "ctrl+m", SF_ACTION_WORK_MODE },
    { "both held", "ctrl+x", "ctrl+shift+m", SF_ACTION_WORK_MODE },
    { "Ctrl held, with a meaning of its own", "ctrl+x", "ctrl+r", SF_ACTION_REPAIR },
    { "Ctrl+M of legacy terminals", "ctrl+x", "enter", SF_ACTION_WORK_MODE },
    { "Ctrl+I of legacy terminals", "ctrl+x", "tab", SF_ACTION_MANUAL },
    { "Ctrl held with a named key", "ctrl+x", "ctrl+home", SF_ACTION_SCROLL_TOP },
    { "Alt is another key", "ctrl+x", "alt+m", SF_ACTION_NONE },
    { "Ctrl+C stays what it is", "ctrl+x", "ctrl+c", SF_ACTION_INTERRUPT },
    { "c is copy", "ctrl+x", "c", SF_ACTION_COPY },
    { "Esc forgets the leader", "ctrl+x", "esc", SF_ACTION_NONE },
    { "what follows no leader is used up", "ctrl+x", "q", SF_ACTION_NONE },
};

static void test_presses(void **state)
{
    struct sf_keymap *map = *state;

    for (size_t i = 0; i < SF_COUNT(presses); i++) {
        bool waits = false;
        enum sf_action_id got = press(map, presses[i].first, &waits);

        if (waits != (presses[i].second != NULL) || waits != (sf_keymap_leader(map) != NULL))
            fail_msg("%s: waits is %d", presses[i].name, waits);
        if (presses[i].second)
            got = press(map, presses[i].second, &waits);
        if (got != presses[i].want || waits || sf_keymap_leader(map))
            fail_msg("%s: got %d, want %d", presses[i].name, (int)got, (int)presses[i].want);
    }
}

static void test_a_leader_can_be_repeated_and_forgotten(void **state)
{
    struct sf_keymap *map = *state;
    bool waits;

    assert_int_equal(press(map, "ctrl+x", &waits), SF_ACTION_NONE);
    assert_int_equal(press(map, "ctrl+x", &waits), SF_ACTION_NONE);
    assert_true(waits);
    assert_int_equal(sf_keymap_leader(map)->code, 'x');
    sf_keymap_forget(map);
    assert_null(sf_keymap_leader(map));
    assert_int_equal(press(map, "enter", &waits), SF_ACTION_SEND);
}

static void test_typed_text_behind_a_leader(void **state)
{
    struct sf_keymap *map = *state;
    struct sf_key key;
    bool waits;

    assert_int_equal(sf_key_of_text(&key, "Mx", 2), 1);
    press(map, "ctrl+x", &waits);
    assert_int_equal(sf_keymap_feed(map, &key, &waits), SF_ACTION_WORK_MODE);
    assert_int_equal(sf_key_of_text(&key, "\xc3\x89", 2), 2);
    assert_int_equal(key.code, 0xe9);
    assert_int_equal(key.mods, SF_MOD_SHIFT);
    assert_int_equal(sf_key_of_text(&key, "", 0), 0);
    assert_int_equal(sf_key_of_text(&key, "\033", 1), 0);
}

/* ---- rebinding ---- */

static void rebind(struct sf_keymap *map, const char *action, const char *keys)
{
    struct sf_error err = SF_ERROR_INIT;

    if (!sf_keymap_bind(map, action, keys, &err))
        fail_msg("%s = %s: %s", action, keys ? keys : "NULL", err.msg);
}

static void test_a_rebind_replaces_the_defaults(void **state)
{
    struct sf_keymap *map = *state;
    bool waits;

    rebind(map, "palette", "f2,ctrl+x q , ctrl+x Q");
    assert_int_equal(press(map, "ctrl+k", &waits), SF_ACTION_NONE);
    assert_int_equal(press(map, "f2", &waits), SF_ACTION_PALETTE);
    assert_int_equal(press(map, "ctrl+x q", &waits), SF_ACTION_PALETTE);
    rebind(map, "palette", "");
    assert_int_equal(press(map, "f2", &waits), SF_ACTION_NONE);
    rebind(map, "palette", NULL);
    assert_int_equal(press(map, "ctrl+k", &waits), SF_ACTION_PALETTE);
}

static void test_two_actions_swap_their_keys(void **state)
{
    struct sf_keymap *map = *state;
    bool waits;

    rebind(map, "palette", "");
    rebind(map, "find", "");
    rebind(map, "palette", "ctrl+f");
    rebind(map, "find", "ctrl+k");
    assert_int_equal(press(map, "ctrl+f", &waits), SF_ACTION_PALETTE);
    assert_int_equal(press(map, "ctrl+k", &waits), SF_ACTION_FIND);
}

static void test_a_leader_of_your_own(void **state)
{
    struct sf_keymap *map = *state;
    bool waits;

    rebind(map, "find", "f5 f");
    rebind(map, "copy", "ctrl+x ctrl+m");
    assert_int_equal(press(map, "f5", &waits), SF_ACTION_NONE);
    assert_true(waits);
    assert_int_equal(press(map, "f", &waits), SF_ACTION_FIND);
    assert_int_equal(press(map, "ctrl+x ctrl+m", &waits), SF_ACTION_COPY);
    assert_int_equal(press(map, "ctrl+x m", &waits), SF_ACTION_WORK_MODE);
}

static const struct {
    const char *name, *action, *keys, *msg, *hint;
} bad_binds[] = {
    { "no such action", "pallete", "f2", "there is no such action", "did you mean palette?" },
    { "nothing like it", "zzzzzzzz", "f2", "\"zzzzzzzz\"", "docs/KEYS.md" },
    { "a bad chord", "palette", "f2, ctlr+k", "palette: there is no key called \"ctlr\"", "Ctrl" },
    { "nothing between commas", "palette", "f2,,f3", "palette: there is no key", "" },
    { "another action's key", "palette", "f2, ctrl+f",
      "Ctrl+F is taken twice: by palette and by find", "find = \"\"" },
    { "a key that leads to others", "palette", "ctrl+x",
      "Ctrl+X is taken twice: by palette and by suspend", "" },
    { "behind a key that does something", "palette", "ctrl+f p",
      "Ctrl+F p is taken twice: by palette and by find", "" },
    { "another spelling", "palette", "control+F", "by palette and by find", "" },
    { "text", "palette", "m", "m alone is text and cannot be bound to palette", "ctrl+x m" },
    { "a capital", "palette", "shift+m", "is text", "" },
    { "one of its keys begins another", "palette", "f2, f2 x", "begins another", "" },
    { "too many", "palette", "f2,f3,f4,f5,f6,f7,f8,f9,f10", "palette has more than 8 keys", "" },
    { "endless", "palette",
      "ctrl+ctrl+ctrl+ctrl+ctrl+ctrl+ctrl+ctrl+ctrl+ctrl+ctrl+ctrl+ctrl+ctrl+ctrl+ctrl+ctrl+ctrl+"
      "ctrl+ctrl+ctrl+ctrl+ctrl+ctrl+ctrl+ctrl+k",
      "is not a key", "" },
};

static void test_a_bad_rebind_changes_nothing(void **state)
{
    struct sf_keymap *map = *state;

    for (size_t i = 0; i < SF_COUNT(bad_binds); i++) {
        struct sf_error err = SF_ERROR_INIT;
        bool waits;

        if (sf_keymap_bind(map, bad_binds[i].action, bad_binds[i].keys, &err))
            fail_msg("%s was bound", bad_binds[i].name);
        if (!strstr(err.msg, bad_binds[i].msg) || !strstr(err.hint, bad_binds[i].hint))
            fail_msg("%s: %s (%s)", bad_binds[i].name, err.msg, err.hint);
        assert_int_equal(press(map, "ctrl+k", &waits), SF_ACTION_PALETTE);
        assert_int_equal(press(map, "f2", &waits), SF_ACTION_NONE);
        assert_int_equal(press(map, "ctrl+f", &waits), SF_ACTION_FIND);
    }
}

/* ---- showing ---- */

static void test_what_is_shown(void **state)
{
    struct sf_keymap *map = *state;
    char out[SF_CHORD_TEXT];

    assert_string_equal(sf_keymap_shown(map, SF_ACTION_WORK_MODE, false, out), "Ctrl+X m");
    rebind(map, "cycle-work-mode", "ctrl+shift+m, ctrl+x m");
    assert_string_equal(sf_keymap_shown(map, SF_ACTION_WORK_MODE, true, out), "Ctrl+Shift+M");
    assert_string_equal(sf_keymap_shown(map, SF_ACTION_WORK_MODE, false, out), "Ctrl+X m");
    rebind(map, "cycle-work-mode", "ctrl+shift+m");
    assert_string_equal(sf_keymap_shown(map, SF_ACTION_WORK_MODE, false, out), "");
    rebind(map, "cycle-work-mode", "");
    assert_string_equal(sf_keymap_shown(map, SF_ACTION_WORK_MODE, true, out), "");
}

static void test_the_document_has_every_action(void **state)
{
    struct sf_strbuf doc = SF_STRBUF_INIT;
    const char *missing = NULL;

    (void)state;
    sf_keys_doc_add(&doc);
    for (size_t i = 0; i < sf_action_row_count && !missing; i++) {
        char cell[64];

        snprintf(cell, sizeof(cell), "| `%s` |\n", sf_action_rows[i].name);
        if (!strstr(doc.buf, cell))
            missing = sf_action_rows[i].name;
    }
    sf_strbuf_release(&doc);
    if (missing)
        fail_msg("%s is missing", missing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chords),
        cmocka_unit_test(test_bad_chords),
        cmocka_unit_test_setup_teardown(test_every_action_has_one_row_and_a_first_key_that_arrives,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(test_every_default_key_does_its_action, setup, teardown),
        cmocka_unit_test_setup_teardown(test_presses, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_leader_can_be_repeated_and_forgotten, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_typed_text_behind_a_leader, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_rebind_replaces_the_defaults, setup, teardown),
        cmocka_unit_test_setup_teardown(test_two_actions_swap_their_keys, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_leader_of_your_own, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_bad_rebind_changes_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_is_shown, setup, teardown),
        cmocka_unit_test(test_the_document_has_every_action),
    };

    return cmocka_run_group_tests_name("keymap", tests, NULL, NULL);
}
