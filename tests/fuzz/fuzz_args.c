/*
 * Any text as the arguments of any tool: read or refused in words, never a crash; what is read
 * can be written and read again and stays the same. The first byte chooses the tool. Nothing
 * runs.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/json_equal.h"
#include "tools/tools.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static void check_again(const struct sf_tool_call *call)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;
    struct sf_error err = SF_ERROR_INIT;
    struct sf_json_writer w;
    struct sf_json *again;

    sf_jw_init(&w, &sb);
    sf_jw_json(&w, call->args);
    again = sf_args_read(call->tool->args, call->tool->arg_count, sb.buf, sb.len, &err);
    must(again && json_equal(again, call->args));
    sf_json_free(again);
    sf_strbuf_release(&sb);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sf_error err = SF_ERROR_INIT;
    const struct sf_tool *tool;
    struct sf_tool_call *call;

    if (!size)
        return 0;
    tool = sf_tools[data[0] % sf_tool_count];
    call = sf_tool_call_new(tool, "id", (const char *)data + 1, size - 1, &err);
    if (call)
        check_again(call);
    else
        must(*err.msg && sf_utf8_valid(err.msg, strlen(err.msg), NULL) && !strchr(err.msg, '\x1b'));
    sf_tool_call_free(call);
    return 0;
}
