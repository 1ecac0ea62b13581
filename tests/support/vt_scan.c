/*
 * vt_scan.c: enough of ECMA-48 to tell sequences apart, and a table of the modes that matter.
 */
#include "support/vt_scan.h"

static const struct {
    int number;
    size_t offset;
} modes[] = {
    { 25, offsetof(struct vt_modes, cursor) },  { 1049, offsetof(struct vt_modes, alternate) },
    { 1002, offsetof(struct vt_modes, mouse) }, { 1006, offsetof(struct vt_modes, mouse_sgr) },
    { 1004, offsetof(struct vt_modes, focus) }, { 2004, offsetof(struct vt_modes, paste) },
    { 2026, offsetof(struct vt_modes, sync) },
};

static void set_mode(struct vt_scan *scan, int number, bool on)
{
    for (size_t i = 0; i < SF_COUNT(modes); i++)
        if (modes[i].number == number)
            *(bool *)((char *)&scan->modes + modes[i].offset) = on;
}

static void set_modes(struct vt_scan *scan, const char *numbers, bool on)
{
    for (char *end; *numbers; numbers = *end == ';' ? end + 1 : end) {
        long number = strtol(numbers, &end, 10);

        if (end == numbers)
            return;
        set_mode(scan, (int)number, on);
    }
}

static void change_kitty(struct vt_scan *scan, int by)
{
    int *depth = &scan->kitty[scan->modes.alternate];

    *depth = *depth + by < 0 ? 0 : *depth + by;
}

static void end_csi(struct vt_scan *scan, char final)
{
    const char *text = scan->text;

    if (*text == '?' && (final == 'h' || final == 'l'))
        set_modes(scan, text + 1, final == 'h');
    else if (*text == '>' && final == 'u')
        change_kitty(scan, 1);
    else if (*text == '<' && final == 'u')
        change_kitty(scan, -1);
    else if (*text == '>' && final == 'm' && text[1] == '4')
        scan->modes.other_keys = text[2] == ';' ? atoi(text + 3) : 0;
    else if (final == 'r' && (!*text || (*text >= '0' && *text <= '9')))
        scan->modes.bottom = strchr(text, ';') ? atoi(strchr(text, ';') + 1) : 0;
    else if (!strcmp(text, "?") && final == 'u')
        scan->asked(scan->ctx, VT_ASKS_KITTY);
    else if (*text == '>' && final == 'q')
        scan->asked(scan->ctx, VT_ASKS_VERSION);
    else if (!strcmp(text, "?2026$") && final == 'p')
        scan->asked(scan->ctx, VT_ASKS_SYNC);
    scan->modes.kitty = scan->kitty[scan->modes.alternate];
}

static void end_string(struct vt_scan *scan)
{
    if (!strncmp(scan->text, "]2;", 3) || !strncmp(scan->text, "]0;", 3))
        snprintf(scan->modes.title, sizeof(scan->modes.title), "%.250s", scan->text + 3);
}

static void begin(struct vt_scan *scan, int state, char first)
{
    scan->state = state;
    scan->len = 0;
    if (first)
        scan->text[scan->len++] = first;
}

static void keep(struct vt_scan *scan, char c)
{
    if (scan->len + 1 < sizeof(scan->text))
        scan->text[scan->len++] = c;
}

static void scan_escape(struct vt_scan *scan, char c)
{
    if (c == '[')
        begin(scan, VT_CSI, 0);
    else if (strchr("]P_^", c))
        begin(scan, VT_STRING, c);
    else if (c < 0x20 || c > 0x2f) /* else one more byte: a character set */
        scan->state = VT_GROUND;
}

static void scan_byte(struct vt_scan *scan, char c)
{
    bool string = scan->state == VT_STRING || scan->state == VT_STRING_ESCAPE;

    if (string && (c == '\a' || (scan->state == VT_STRING_ESCAPE && c == '\\'))) {
        scan->text[scan->len] = '\0';
        end_string(scan);
        scan->state = VT_GROUND;
    } else if (c == '\033') {
        scan->state = string ? VT_STRING_ESCAPE : VT_ESCAPE;
    } else if (scan->state == VT_ESCAPE || scan->state == VT_STRING_ESCAPE) {
        scan_escape(scan, c);
    } else if (scan->state == VT_CSI && c >= 0x40 && c <= 0x7e) {
        scan->text[scan->len] = '\0';
        scan->state = VT_GROUND;
        end_csi(scan, c);
    } else if (scan->state != VT_GROUND) {
        keep(scan, c);
    } else if (c == '\a') {
        scan->modes.bells++;
    }
}

void vt_scan(struct vt_scan *scan, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        scan_byte(scan, bytes[i]);
}
