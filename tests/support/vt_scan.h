/*
 * vt_scan: follows the modes in a terminal's input: those the emulator takes silently. Bytes in
 * any chunks.
 */
#ifndef SF_TESTS_SUPPORT_VT_SCAN_H
#define SF_TESTS_SUPPORT_VT_SCAN_H

#include "support/vt.h"

enum vt_question { VT_ASKS_KITTY, VT_ASKS_VERSION, VT_ASKS_SYNC };

struct vt_scan {
    struct vt_modes modes;
    int kitty[2]; /* of the main and of the alternate screen */
    enum { VT_GROUND, VT_ESCAPE, VT_CSI, VT_STRING, VT_STRING_ESCAPE } state;
    char text[512]; /* of a sequence under way, cut */
    size_t len;
    void (*asked)(void *ctx, enum vt_question question);
    void *ctx;
};

void vt_scan(struct vt_scan *scan, const char *bytes, size_t len);

#endif
