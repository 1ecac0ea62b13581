/*
 * Pages as text: what stays of each element, and that no page, however broken, costs more than
 * its size.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/test.h"
#include "tools/charset.h"
#include "tools/entity.h"
#include "tools/html.h"
#include "tools/page.h"

static struct sf_url base;

static int read_base(void **state)
{
    struct sf_error err = SF_ERROR_INIT;

    (void)state;
    return sf_url_read(&base, "https://example.org/docs/a.html", &err) ? 0 : -1;
}

static const struct {
    const char *name, *html, *text;
} pages[] = {
    { "nothing", "", "" },
    { "text alone", "hello", "hello\n" },
    { "blanks collapse", "  a \t b\r\n\r\n c ", "a b c\n" },
    { "blanks that do not break",
      "a&nbsp;&nbsp;b\xc2\xa0"
      "c",
      "a b c\n" },
    { "paragraphs", "<p>a</p><p>b<p>c", "a\n\nb\n\nc\n" },
    { "lines", "<div>a</div><div>b</div>", "a\nb\n" },
    { "nested blocks leave no gaps", "<div><div><div>a</div></div></div><div>b</div>", "a\nb\n" },
    { "br", "a<br>b<br/><br><BR>c", "a\nb\n\nc\n" },
    { "hr", "a<hr>b", "a\n\n---\n\nb\n" },
    { "headings", "<h1>A</h1>b<H3 class=x>C</h3>d", "# A\n\nb\n\n### C\n\nd\n" },
    { "an empty heading", "<h2> </h2>a", "a\n" },
    { "a list", "<ul><li>a<li>b</ul>c", "- a\n- b\n\nc\n" },
    { "a counted list", "<ol><li>a</li><li>b</li></ol>", "1. a\n2. b\n" },
    { "lists in lists", "<ul><li>a<ol><li>b<li>c</ol><li>d</ul>", "- a\n  1. b\n  2. c\n- d\n" },
    { "an empty item", "<ul><li></li></ul>a", "a\n" },
    { "an item without a list", "<li>a", "- a\n" },
    { "a paragraph in an item", "<ul><li><p>a</p></li></ul>", "- a\n" },
    { "a table", "<table><tr><th>a<th>b</tr><tr><td>1</td><td>2</td></tr></table>c",
      "a | b\n1 | 2\n\nc\n" },
    { "empty cells", "<tr><td>a<td><td>c<tr><td><td>b", "a |  | c\n| b\n" },
    { "blocks in cells", "<tr><td><p>a</p></td><td><p>b</p></td></tr>", "a | b\n" },
    { "preformatted", "x<pre>\n a\n\n   b  \n</pre>y", "x\n\n```\n a\n\n   b  \n```\n\ny\n" },
    { "preformatted with tags", "<pre><code><b>if</b> (a &lt; b)\n\tc;</code></pre>",
      "```\nif (a < b)\n\tc;\n```\n" },
    { "preformatted and never closed", "<pre>a\r\nb", "```\na\nb\n```\n" },
    { "preformatted nothing", "<pre></pre>a", "a\n" },
    { "emphasis goes", "<b>a</b> <i>b</i>c", "a bc\n" },
    { "unknown tags go", "<frob nicate>a</frob><x-y/>b", "ab\n" },
    { "the title", "<head><title>A &amp; B</title></head><body>c", "A & B\n\nc\n" },
    { "a second title goes", "a<title>b</title>c", "ac\n" },
    { "scripts and styles", "a<script>if (b<c) d('</div>')</script><style>p>q{}</STYLE >e",
      "ae\n" },
    { "a script never closed", "a<script>b", "a\n" },
    { "drawings", "a<svg><title>b</title><text>c</text></svg>d", "ad\n" },
    { "a drawing in a drawing", "a<svg><svg></svg>b</svg>c", "ac\n" },
    { "a drawing never closed", "a<svg><path d=1>b<p>c", "a\n\nc\n" },
    { "menus of forms", "a<select><option>b<option>c</select>d", "ad\n" },
    { "templates", "a<template><p>b</p></template>c", "ac\n" },
    { "pictures", "<img src=x alt='a &gt; b'><img alt=''><img>", "[image: a > b]\n" },
    { "comments", "a<!-- b > c -->d<!-->e<!--->f<!doctype html><?xml?>g", "adefg\n" },
    { "a comment never closed", "a<!-- b -- >", "a\n" },
    { "a less-than sign", "1 < 2 <3 <", "1 < 2 <3 <\n" },
    { "a tag never closed", "a<p class=\"b", "a\n" },
    { "a quote in a tag", "<p title='>'>a<p title=\"'>\">b", "a\n\nb\n" },
    { "entities", "&lt;&#65;&#x42;&copy;&hellip;&euro;", "<AB©…€\n" },
    { "what is no entity", "&&;&#;&#x;&frob;&lt &amp", "&&;&#;&#x;&frob;&lt &amp\n" },
    { "numbers of windows-1252", "&#147;a&#148;", "“a”\n" },
    { "numbers of nothing", "&#0;&#xD800;&#x110000;&#99999999999;&#27;", "���&#99999999999;�\n" },
    { "soft hyphens",
      "a&shy;b\xc2\xad"
      "c",
      "abc\n" },
    { "controls",
      "a\x1b[2J\x01\x7f"
      "b",
      "a[2Jb\n" },
    { "damage comes through", "a\xff\xc2", "a\xff\xc2\n" },

    { "a link", "<a href='b.html'>c</a> d",
      "c[1] d\n\nLinks:\n[1] https://example.org/docs/b.html\n" },
    { "a blank behind a link's text", "<a href=/b>c </a>d",
      "c[1] d\n\nLinks:\n[1] https://example.org/b\n" },
    { "the same link twice", "<a href=/b>c</a> <a href=/b>d</a>",
      "c[1] d[1]\n\nLinks:\n[1] https://example.org/b\n" },
    { "a link to elsewhere", "<a href=HTTP://other.org>c</a>",
      "c[1]\n\nLinks:\n[1] http://other.org/\n" },
    { "entities in an address", "<a href=\"/b?c=1&amp;d=&copy\">e</a>",
      "e[1]\n\nLinks:\n[1] https://example.org/b?c=1&d=&copy\n" },
    { "blanks and more in an address", "<a href=' /b c\xc3\xa9\n '>d</a>",
      "d[1]\n\nLinks:\n[1] https://example.org/b%20c%C3%A9\n" },
    { "a link without text", "<a href=/b><img></a>c", "c\n" },
    { "a link within the page", "<a href=#b>c</a>", "c\n" },
    { "what is no link", "<a href='javascript:b'>c</a><a name=d>e</a><a href>f</a>", "cef\n" },
    { "a link never closed", "<a href=/b>c<a href=/d>e",
      "c[1]e[2]\n\nLinks:\n[1] https://example.org/b\n[2] https://example.org/d\n" },
    { "links in preformatted text", "<pre><a href=/b>c</a>()</pre>", "```\nc()\n```\n" },
};

static void test_pages(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(pages); i++) {
        struct sf_strbuf out = SF_STRBUF_INIT;

        if (!sf_html_text(pages[i].html, strlen(pages[i].html), &base, &out) ||
            strcmp(out.buf, pages[i].text) != 0)
            fail_msg("%s: got\n%s|\nnot\n%s|", pages[i].name, out.buf, pages[i].text);
        sf_strbuf_release(&out);
    }
}

/* Behind the ceiling of links their text stays, without a number. */
static void test_many_links(void **state)
{
    struct sf_strbuf html = SF_STRBUF_INIT, out = SF_STRBUF_INIT;

    (void)state;
    for (int i = 0; i < SF_HTML_LINKS + 50; i++)
        sf_strbuf_addf(&html, "<a href=%d>t%d</a> ", i, i);
    assert_true(sf_html_text(html.buf, html.len, &base, &out));
    assert_non_null(strstr(out.buf, " t199[200] t200 t201 "));
    assert_non_null(strstr(out.buf, "\n[200] https://example.org/docs/199\n[more links are not"));
    assert_null(strstr(out.buf, "[201]"));
    sf_strbuf_release(&out);
    sf_strbuf_release(&html);
}

/* Pieces that make slow readers slow, and text grow, when they are repeated. */
static const char *const floods[] = {
    "<",      "<a ",         "<!--",        "<a href=\"", "<a href=x>y",    "&#1",
    "&",      "<ul><li>x",   "<pre>x",      "<td>",       "<tr><td>x<td>",  "</",
    "<svg>",  "<script></",  "<h6>x",       "<p>\n",      "<li>x",          "<a href=x>y</a>",
    "<title", "<script>",    "<template>x", "<br>x",      "<pre>\n</pre>x", "<img alt=x>",
    "-->",    "<a b='c\"d>", "</script",    "<ol><li>",   "\xc2",           "<a a a=a =a= ",
};

static void test_floods(void **state)
{
    enum { SIZE = 1024 * 1024 };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(floods); i++) {
        struct sf_strbuf html = SF_STRBUF_INIT, out = SF_STRBUF_INIT;

        while (html.len < SIZE)
            sf_strbuf_adds(&html, floods[i]);
        sf_html_text(html.buf, html.len, &base, &out);
        if (out.len > SF_HTML_TEXT_MAX + 1024)
            fail_msg("%s: %zu bytes of text", floods[i], out.len);
        sf_strbuf_release(&out);
        sf_strbuf_release(&html);
    }
}

static void test_ceiling(void **state)
{
    struct sf_strbuf html = SF_STRBUF_INIT, out = SF_STRBUF_INIT;

    (void)state;
    sf_strbuf_adds(&html, "<a href=/b>c</a>");
    sf_strbuf_fill(&html, 'x', SF_HTML_TEXT_MAX);
    assert_false(sf_html_text(html.buf, html.len, &base, &out));
    assert_non_null(strstr(out.buf, "x\n\nLinks:\n[1] https://example.org/b\n"));
    sf_strbuf_release(&out);
    sf_strbuf_release(&html);
}

/* Every name of the sorted table is found by its search. */
static void test_entity_order(void **state)
{
    static const char *const names[] = { "AElig", "Aacute", "Yuml", "aacute", "amp",   "dArr",
                                         "darr",  "le",     "lt",   "lsquo",  "nbsp",  "rArr",
                                         "sub",   "sube",   "sup",  "sup3",   "szlig", "zwnj" };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(names); i++) {
        char text[16];
        uint32_t cp;

        snprintf(text, sizeof(text), "&%s;", names[i]);
        if (sf_entity_read(text, strlen(text), &cp) != strlen(text))
            fail_msg("%s is not found", names[i]);
    }
}

static const struct {
    const char *name, *type, *body;
    size_t len;       /* 0: up to the NUL */
    const char *text; /* NULL: refused */
    const char *words;
} bodies[] = {
    { "plain text", "text/plain", "a <b> &amp; c\n", 0, "a <b> &amp; c\n", NULL },
    { "JSON", "application/json", "{\"a\": \"<p>\"}", 0, "{\"a\": \"<p>\"}", NULL },
    { "HTML", "text/html; charset=utf-8", "<p>é", 0, "é\n", NULL },
    { "HTML in capitals", "TEXT/HTML", "<p>a", 0, "a\n", NULL },
    { "XHTML", "application/xhtml+xml", "<p>a</p>", 0, "a\n", NULL },
    { "HTML without a type", "", "\n <!DOCTYPE HTML><p>a", 0, "a\n", NULL },
    { "text without a type", "", "<p>a", 0, "<p>a", NULL },
    { "XML", "application/xml", "<p>a</p>", 0, "<p>a</p>", NULL },
    { "a drawing as text", "image/svg+xml", "<svg/>", 0, "<svg/>", NULL },
    { "nothing", "text/html", "", 0, "", NULL },
    { "latin-1 by the header", "text/plain; charset=ISO-8859-1", "caf\xe9 \x80", 0, "café €",
      NULL },
    { "latin-1 by the page", "text/html", "<meta charset='latin1'><p>caf\xe9", 0, "café\n", NULL },
    { "the header wins", "text/html; charset=latin1", "<meta charset=utf-8>\xe9", 0, "é\n", NULL },
    { "not said", "text/plain", "caf\xe9", 0, "caf\xef\xbf\xbd", NULL },
    { "said, but UTF-8 all the same", "text/plain; charset=latin1", "café", 0, "café", NULL },
    { "an unknown charset", "text/plain; charset=koi8-r", "a\xc1\xc2", 0,
      "a\xef\xbf\xbd\xef\xbf\xbd", "charset koi8-r is not known" },
    { "a byte order mark", "text/plain",
      "\xef\xbb\xbf"
      "a",
      0, "a", NULL },
    { "UTF-16", "text/html", "\xff\xfe<\0p\0>\0\xe9\0", 10, "é\n", NULL },
    { "a NUL", "text/plain", "a\0b", 3, NULL,
      "this is not text: binary data, 3 bytes, text/plain" },
    { "a ZIP archive", "application/octet-stream", "PK\3\4\0\0", 6, NULL, "a ZIP archive" },
    { "a PNG that says HTML", "text/html", "\x89PNG\r\n\x1a\n\0", 9, NULL, "a PNG image" },
};

static void test_bodies(void **state)
{
    (void)state;
    for (size_t i = 0; i < SF_COUNT(bodies); i++) {
        struct sf_web_page page = { .type = bodies[i].type,
                                    .url = &base,
                                    .body = bodies[i].body,
                                    .len = bodies[i].len ? bodies[i].len : strlen(bodies[i].body) };
        struct sf_strbuf out = SF_STRBUF_INIT, note = SF_STRBUF_INIT;
        struct sf_error err = SF_ERROR_INIT;
        bool ok = sf_page_text(&page, &out, &note, &err);
        const char *words = ok ? note.buf : err.msg;

        if (ok != !!bodies[i].text || (ok && strcmp(out.buf, bodies[i].text) != 0) ||
            (bodies[i].words ? !strstr(words, bodies[i].words) : note.len > 0))
            fail_msg("%s: '%s' '%s' '%s'", bodies[i].name, out.buf, note.buf, err.msg);
        sf_strbuf_release(&out);
        sf_strbuf_release(&note);
    }
}

static void test_media(void **state)
{
    (void)state;
    assert_true(sf_page_is_media("image/png"));
    assert_true(sf_page_is_media("Video/mp4; codecs=x"));
    assert_true(sf_page_is_media("application/pdf"));
    assert_false(sf_page_is_media("image/svg+xml; charset=utf-8"));
    assert_false(sf_page_is_media("application/octet-stream"));
    assert_false(sf_page_is_media("text/plain"));
    assert_false(sf_page_is_media(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pages),        cmocka_unit_test(test_many_links),
        cmocka_unit_test(test_floods),       cmocka_unit_test(test_ceiling),
        cmocka_unit_test(test_entity_order), cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_media),
    };

    return cmocka_run_group_tests(tests, read_base, NULL);
}
