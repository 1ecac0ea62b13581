/*
 * Any file and any arguments (behind the first NUL) give parts that are safe to show and have an
 * end, or an error; arguments add neither files nor commands.
 */
#include <stdint.h>
#include <stdlib.h>

#include "agent/agent.h"
#include "base/base.h"
#include "guard/guard.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void require_safe(const char *text)
{
    struct sf_strbuf safe = SF_STRBUF_INIT;

    sf_text_sanitize(&safe, text, strlen(text), SF_TEXT_NEWLINES | SF_TEXT_TABS);
    require(!strcmp(safe.buf, text));
    sf_strbuf_release(&safe);
}

static size_t blanks(const struct sf_template *t)
{
    size_t count = 0;

    for (size_t i = 0; i < t->count; i++)
        count += t->parts[i].kind != SF_TEMPLATE_TEXT;
    return count;
}

static void fill(const char *body, const char *args)
{
    struct sf_template with = SF_TEMPLATE_INIT, without = SF_TEMPLATE_INIT;
    struct sf_error err = SF_ERROR_INIT;
    size_t bytes = 0;

    if (sf_template_fill(&with, body, args, &err)) {
        if (sf_template_fill(&without, body, "x x x x x x x x x", &err))
            require(blanks(&with) <= blanks(&without));
        for (size_t i = 0; i < with.count; i++)
            bytes += strlen(with.parts[i].text);
        require(bytes <= SF_CUSTOM_TEXT);
    } else {
        require(!with.count && err.msg[0]);
    }
    sf_template_release(&with);
    sf_template_release(&without);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    size_t len = strnlen(text, size), rest = len < size ? size - len - 1 : 0;
    char *args = sf_strndup(text + size - rest, strnlen(text + size - rest, rest));
    struct sf_custom custom = SF_CUSTOM_INIT;
    struct sf_error err = SF_ERROR_INIT;

    if (sf_custom_read(&custom, text, len, &err)) {
        require_safe(custom.description);
        require_safe(custom.hint);
        require_safe(custom.body);
        require(custom.tools.count <= SF_GRANTS_MAX);
        fill(custom.body, args);
    } else {
        require(!custom.body && err.msg[0]);
    }
    sf_custom_release(&custom);
    free(args);
    return 0;
}
