/*
 * sanitizer.c: options of the sanitizers, in programs built with them. AddressSanitizer follows
 * the thread-local memory of libraries loaded at run time by a guess about the C library's heap
 * that can go wrong; then the search for leaks at the end reads from addresses that are none. And
 * freed memory kept for inspection makes fork() slow; some of it is enough.
 */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "intercept_tls_get_addr=0:quarantine_size_mb=2";
}
