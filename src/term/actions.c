/*
 * actions.c: the table of what keys do. The first chord of a row is the one that is shown, so it
 * is one that every terminal and multiplexer lets through; chords that many of them swallow come
 * later in the row.
 */
#include "base/base.h"
#include "term/keymap.h"

/* clang-format off */
const struct sf_action_row sf_action_rows[] = {
    { SF_ACTION_SEND, "send", "enter", "send; while a turn runs: steer it", "Writing" },
    { SF_ACTION_NEWLINE, "newline", "ctrl+j, alt+enter, shift+enter", "new line", "Writing" },
    { SF_ACTION_TAB, "tab", "tab",
      "complete; while a turn runs: queue; else: plan, agent, yolo", "Writing" },
    { SF_ACTION_EDITOR, "editor", "ctrl+g", "write in $EDITOR", "Writing" },
    { SF_ACTION_HISTORY, "history", "ctrl+r", "search what was sent before", "Writing" },
    { SF_ACTION_UNDO, "undo", "ctrl+_, ctrl+/", "undo", "Writing" },
    { SF_ACTION_REDO, "redo", "ctrl+y, alt+_", "redo", "Writing" },

    { SF_ACTION_CANCEL, "cancel", "esc", "close, pause, cancel, drop, clear: one step each", "Session" },
    { SF_ACTION_INTERRUPT, "interrupt", "ctrl+c", "clear, interrupt; twice: quit", "Session" },
    { SF_ACTION_QUIT, "quit", "ctrl+d", "quit when nothing is written", "Session" },
    { SF_ACTION_SUSPEND, "suspend", "ctrl+z, ctrl+x z", "back to the shell; fg returns", "Session" },
    { SF_ACTION_BACKTRACK, "backtrack", "ctrl+x b", "back to an earlier prompt (Esc Esc)", "Session" },
    { SF_ACTION_SESSIONS, "sessions", "ctrl+x l", "list of sessions", "Session" },
    { SF_ACTION_TASKS, "tasks", "ctrl+x t", "what runs and waits", "Session" },
    { SF_ACTION_SIDEBAR, "sidebar", "ctrl+x e", "sidebar on or off, on wide screens", "Session" },
    { SF_ACTION_PALETTE, "palette", "ctrl+k", "all commands", "Session" },
    { SF_ACTION_HELP, "help", "f1, ctrl+x h", "help", "Session" },

    { SF_ACTION_WORK_MODE, "cycle-work-mode", "ctrl+x m, alt+m, ctrl+shift+m",
      "next work mode", "Modes" },
    { SF_ACTION_AUTONOMOUS, "autonomous", "ctrl+x a, alt+a, ctrl+shift+a",
      "run control: autonomous", "Modes" },
    { SF_ACTION_ASSISTED, "assisted", "ctrl+x s, alt+s, ctrl+shift+s",
      "run control: assisted", "Modes" },
    { SF_ACTION_MANUAL, "manual", "ctrl+x i, alt+i, ctrl+shift+i", "run control: manual", "Modes" },
    { SF_ACTION_REPAIR, "repair", "ctrl+x r, alt+r, ctrl+shift+r", "work mode: repair", "Modes" },
    { SF_ACTION_PROFILE, "cycle-profile", "ctrl+x p, alt+p, ctrl+shift+p",
      "next permission profile", "Modes" },
    { SF_ACTION_MODEL_MODE, "cycle-model-mode", "shift+tab, ctrl+x d",
      "next model mode: fast, smart, deep", "Modes" },

    { SF_ACTION_SCROLL_UP, "page-up", "pgup", "a page up", "Reading" },
    { SF_ACTION_SCROLL_DOWN, "page-down", "pgdn", "a page down", "Reading" },
    { SF_ACTION_LINE_UP, "line-up", "shift+up, ctrl+up", "a line up", "Reading" },
    { SF_ACTION_LINE_DOWN, "line-down", "shift+down, ctrl+down", "a line down", "Reading" },
    { SF_ACTION_SCROLL_TOP, "top", "ctrl+x home, ctrl+home", "to the beginning", "Reading" },
    { SF_ACTION_SCROLL_BOTTOM, "bottom", "ctrl+x end, ctrl+end", "to the end", "Reading" },
    { SF_ACTION_EXPAND, "expand", "ctrl+o", "unfold the paste at the cursor, or what the tools did", "Reading" },
    { SF_ACTION_FIND, "find", "ctrl+f", "search in the conversation", "Reading" },
    { SF_ACTION_COPY, "copy", "ctrl+x c", "copy the last answer", "Reading" },
    { SF_ACTION_TIMES, "times", "ctrl+x w", "when it was said", "Reading" },
    { SF_ACTION_REDRAW, "redraw", "ctrl+l", "redraw the screen", "Reading" },

    { SF_ACTION_LEFT, "left", "left, ctrl+b", "left", "Editing" },
    { SF_ACTION_RIGHT, "right", "right", "right", "Editing" },
    { SF_ACTION_UP, "up", "up, ctrl+p", "up; at the top: what was sent before", "Editing" },
    { SF_ACTION_DOWN, "down", "down, ctrl+n", "down; at the bottom: what was sent after", "Editing" },
    { SF_ACTION_WORD_LEFT, "word-left", "alt+b, ctrl+left, alt+left", "a word left", "Editing" },
    { SF_ACTION_WORD_RIGHT, "word-right", "alt+f, ctrl+right, alt+right", "a word right", "Editing" },
    { SF_ACTION_HOME, "home", "home, ctrl+a", "start of the line", "Editing" },
    { SF_ACTION_END, "end", "end, ctrl+e", "end of the line", "Editing" },
    { SF_ACTION_FIRST, "first", "alt+<", "start of the text", "Editing" },
    { SF_ACTION_LAST, "last", "alt+>", "end of the text", "Editing" },
    { SF_ACTION_BACKSPACE, "backspace", "backspace, ctrl+h", "delete to the left", "Editing" },
    { SF_ACTION_DELETE, "delete", "delete", "delete to the right", "Editing" },
    { SF_ACTION_KILL_WORD, "kill-word", "ctrl+w", "cut back to a space", "Editing" },
    { SF_ACTION_KILL_WORD_BACK, "kill-word-back", "alt+backspace, ctrl+backspace, ctrl+alt+h",
      "cut the word to the left", "Editing" },
    { SF_ACTION_KILL_WORD_FORWARD, "kill-word-forward", "alt+d, ctrl+delete",
      "cut the word to the right", "Editing" },
    { SF_ACTION_KILL_LINE, "kill-line", "ctrl+x k", "cut to the end of the line", "Editing" },
    { SF_ACTION_KILL_START, "kill-start", "ctrl+u", "cut to the start of the line", "Editing" },
    { SF_ACTION_YANK, "yank", "ctrl+x y", "paste what was cut", "Editing" },
    { SF_ACTION_YANK_POP, "yank-pop", "alt+y", "instead, what was cut before it", "Editing" },
    { SF_ACTION_TRANSPOSE, "transpose", "ctrl+t", "swap two characters", "Editing" },
};
/* clang-format on */

const size_t sf_action_row_count = SF_COUNT(sf_action_rows);
