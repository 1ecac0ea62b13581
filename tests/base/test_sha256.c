/*
 * SHA-256 against the vectors of NIST, whole and in odd pieces.
 */
#include "base/base.h"
#include "support/test.h"

static const struct {
    const char *name, *text;
    size_t times;
    const char *want;
} vectors[] = {
    { "nothing", "", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
    { "one block", "abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
    { "two blocks by padding", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
    { "two full blocks and more",
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
      "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1" },
    { "a million times a", "a", 1000000,
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
    { "one byte of 0xbd", "\xbd", 1,
      "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b" },
    { "four bytes", "\xc9\x8c\x8e\x55", 1,
      "7abc22c0ae5af26ce93dbb94433a0e0b2e119d014f8e7f65bd56c61ccccd9504" },
    { "55 times A", "A", 55, "8963cc0afd622cc7574ac2011f93a3059b3d65548a77542a1559e3d202e6ab00" },
    { "56 times A", "A", 56, "6ea719cefa4b31862035a7fa606b7cc3602f46231117d135cc7119b3c1412314" },
    { "64 times A", "A", 64, "d53eda7a637c99cc7fb566d96e9fa109bf15c478410a3f5eb4d4c4e26cd081f6" },
};

static void fill(struct sf_strbuf *sb, size_t i)
{
    sf_strbuf_reset(sb);
    for (size_t n = 0; n < vectors[i].times; n++)
        sf_strbuf_adds(sb, vectors[i].text);
}

static void test_vectors(void **state)
{
    struct sf_strbuf sb = SF_STRBUF_INIT;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(vectors); i++) {
        char hex[SF_SHA256_HEX + 1];

        fill(&sb, i);
        sf_sha256_hex(sb.buf, sb.len, hex);
        if (strcmp(hex, vectors[i].want) != 0)
            fail_msg("%s: %s", vectors[i].name, hex);
    }
    sf_strbuf_release(&sb);
}

static void in_pieces(const struct sf_strbuf *sb, size_t step, unsigned char *digest)
{
    struct sf_sha256 hash;
    size_t n;

    sf_sha256_init(&hash);
    for (size_t at = 0; at < sb->len; at += n) {
        n = sb->len - at < step ? sb->len - at : step;
        sf_sha256_update(&hash, sb->buf + at, n);
        sf_sha256_update(&hash, NULL, 0);
    }
    sf_sha256_final(&hash, digest);
}

static void test_any_chunking_gives_the_same(void **state)
{
    static const size_t steps[] = { 1, 3, 55, 56, 63, 64, 65, 127, 128, 129, 1000, 99991 };
    struct sf_strbuf sb = SF_STRBUF_INIT;
    unsigned char whole[SF_SHA256_SIZE], pieces[SF_SHA256_SIZE];

    (void)state;
    for (size_t i = 0; i < SF_COUNT(vectors); i++) {
        fill(&sb, i);
        in_pieces(&sb, SIZE_MAX, whole);
        for (size_t k = 0; k < SF_COUNT(steps); k++) {
            in_pieces(&sb, steps[k], pieces);
            assert_memory_equal(whole, pieces, sizeof(whole));
        }
    }
    sf_strbuf_release(&sb);
}

/* Every length around the block borders, each split at every place. */
static void test_splits(void **state)
{
    unsigned char data[200], whole[SF_SHA256_SIZE], split[SF_SHA256_SIZE];
    struct sf_sha256 hash;

    (void)state;
    for (size_t i = 0; i < sizeof(data); i++)
        data[i] = (unsigned char)(i * 7);
    for (size_t len = 0; len <= sizeof(data); len++) {
        sf_sha256_init(&hash);
        sf_sha256_update(&hash, data, len);
        sf_sha256_final(&hash, whole);
        for (size_t at = 0; at <= len; at++) {
            sf_sha256_init(&hash);
            sf_sha256_update(&hash, data, at);
            sf_sha256_update(&hash, data + at, len - at);
            sf_sha256_final(&hash, split);
            assert_memory_equal(whole, split, sizeof(whole));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_any_chunking_gives_the_same),
        cmocka_unit_test(test_splits),
    };

    return cmocka_run_group_tests_name("sha256", tests, NULL, NULL);
}
