/*
 * model_record.c: a growing list of records under one lock, with a condition for those who wait.
 * Records are allocated one by one, so borrowed bytes do not move when the list grows.
 */
#include "support/model_record.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <strings.h>
#include <unistd.h>

struct record {
    char *method, *path;
    struct sf_strlist names, values;
    char *body;
    size_t len, connection;
    int status;
    struct model_times times;
    struct model_bill bill;
    bool done;
};

struct model_book {
    pthread_mutex_t lock;
    pthread_cond_t change;
    struct record **records;
    size_t count, cap;
    size_t bytes, done;
    size_t replies; /* of the script, given so far */
    struct sf_strlist complaints;
    char *dir;
};

int64_t model_now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

struct model_book *model_book_new(const char *dir)
{
    struct model_book *book = sf_alloc(sizeof(*book));
    pthread_condattr_t attr;

    pthread_mutex_init(&book->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&book->change, &attr);
    pthread_condattr_destroy(&attr);
    book->dir = dir ? sf_strdup(dir) : NULL;
    return book;
}

void model_book_free(struct model_book *book)
{
    if (!book)
        return;
    for (size_t i = 0; i < book->count; i++) {
        struct record *r = book->records[i];

        free(r->method);
        free(r->path);
        sf_strlist_release(&r->names);
        sf_strlist_release(&r->values);
        free(r->body);
        free(r);
    }
    free(book->records);
    sf_strlist_release(&book->complaints);
    free(book->dir);
    pthread_cond_destroy(&book->change);
    pthread_mutex_destroy(&book->lock);
    free(book);
}

static void write_file(const struct model_book *book, const char *name, int flags, const char *data,
                       size_t len)
{
    struct sf_strbuf path = SF_STRBUF_INIT;
    int fd;

    sf_strbuf_addf(&path, "%s/%s", book->dir, name);
    fd = open(path.buf, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600);
    while (fd >= 0 && len) {
        ssize_t n = write(fd, data, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        data += n;
        len -= (size_t)n;
    }
    if (fd < 0 || len)
        fprintf(stderr, "model server: cannot write %s\n", path.buf);
    if (fd >= 0)
        close(fd);
    sf_strbuf_release(&path);
}

static void write_record(const struct model_book *book, size_t number, const struct record *r)
{
    struct sf_strbuf text = SF_STRBUF_INIT;
    char name[64];

    snprintf(name, sizeof(name), "request-%zu.json", number);
    write_file(book, name, O_TRUNC, r->body, r->len);
    sf_strbuf_addf(&text, "%s %s\n", r->method, r->path);
    for (size_t i = 0; i < r->names.count; i++)
        sf_strbuf_addf(&text, "%s: %s\n", r->names.items[i], r->values.items[i]);
    snprintf(name, sizeof(name), "request-%zu.headers", number);
    write_file(book, name, O_TRUNC, text.buf, text.len);
    sf_strbuf_release(&text);
}

size_t model_book_add(struct model_book *book, struct model_http *http, size_t connection,
                      const struct model_times *times)
{
    struct record *r = sf_alloc(sizeof(*r));
    size_t number;

    r->method = sf_strdup(http->method);
    r->path = sf_strdup(http->path);
    for (size_t i = 0; i < http->names.count; i++) {
        sf_strlist_add(&r->names, http->names.items[i]);
        sf_strlist_add(&r->values, http->values.items[i]);
    }
    r->connection = connection;
    r->times = *times;
    pthread_mutex_lock(&book->lock);
    if (book->bytes + http->body.len <= MODEL_RECORD_BYTES) {
        book->bytes += http->body.len;
        r->len = http->body.len;
        r->body = sf_alloc(r->len + 1);
        memcpy(r->body, http->body.buf, r->len);
    }
    book->records = sf_grow(book->records, &book->cap, book->count + 1, sizeof(struct record *));
    number = book->count;
    book->records[book->count++] = r;
    pthread_cond_broadcast(&book->change);
    pthread_mutex_unlock(&book->lock);
    if (book->dir)
        write_record(book, number, r);
    return number;
}

void model_book_answered(struct model_book *book, size_t number, int status, size_t replies)
{
    pthread_mutex_lock(&book->lock);
    book->replies = replies;
    book->records[number]->status = status;
    pthread_mutex_unlock(&book->lock);
}

void model_book_bill(struct model_book *book, size_t number, const struct model_bill *bill)
{
    pthread_mutex_lock(&book->lock);
    book->records[number]->bill = *bill;
    pthread_mutex_unlock(&book->lock);
}

void model_book_done(struct model_book *book, size_t number, bool gone, int64_t when)
{
    struct record *r;
    char line[160];

    pthread_mutex_lock(&book->lock);
    r = book->records[number];
    if (!r->done) {
        r->done = true;
        book->done++;
        *(gone ? &r->times.gone : &r->times.sent) = when;
    }
    pthread_cond_broadcast(&book->change);
    pthread_mutex_unlock(&book->lock);
    if (book->dir) {
        snprintf(line, sizeof(line), "%zu\t%d\t%lld\t%lld\t%lld\t%lld\n", number, r->status,
                 (long long)r->times.first_byte, (long long)r->times.received,
                 (long long)r->times.sent, (long long)r->times.gone);
        write_file(book, "times.tsv", O_APPEND, line, strlen(line));
    }
}

void model_book_complain(struct model_book *book, size_t number, const char *text)
{
    pthread_mutex_lock(&book->lock);
    if (book->complaints.count < MODEL_RECORDS_MAX)
        sf_strlist_addf(&book->complaints, "request %zu: %s", number, text);
    pthread_mutex_unlock(&book->lock);
}

static struct record *find(struct model_book *book, size_t number)
{
    struct record *r;

    pthread_mutex_lock(&book->lock);
    r = number < book->count ? book->records[number] : NULL;
    pthread_mutex_unlock(&book->lock);
    return r;
}

size_t model_book_count(struct model_book *book)
{
    size_t count;

    pthread_mutex_lock(&book->lock);
    count = book->count;
    pthread_mutex_unlock(&book->lock);
    return count;
}

const char *model_book_body(struct model_book *book, size_t number, size_t *len)
{
    const struct record *r = find(book, number);

    if (len)
        *len = r ? r->len : 0;
    return r ? r->body : NULL;
}

const char *model_book_path(struct model_book *book, size_t number)
{
    const struct record *r = find(book, number);

    return r ? r->path : NULL;
}

const char *model_book_header(struct model_book *book, size_t number, const char *name)
{
    const struct record *r = find(book, number);

    for (size_t i = 0; r && i < r->names.count; i++)
        if (!strcasecmp(r->names.items[i], name))
            return r->values.items[i];
    return NULL;
}

size_t model_book_connection(struct model_book *book, size_t number)
{
    const struct record *r = find(book, number);

    return r ? r->connection : 0;
}

int model_book_status(struct model_book *book, size_t number)
{
    const struct record *r = find(book, number);
    int status;

    pthread_mutex_lock(&book->lock);
    status = r ? r->status : 0;
    pthread_mutex_unlock(&book->lock);
    return status;
}

struct model_times model_book_times(struct model_book *book, size_t number)
{
    const struct record *r = find(book, number);
    struct model_times times = { 0 };

    pthread_mutex_lock(&book->lock);
    if (r)
        times = r->times;
    pthread_mutex_unlock(&book->lock);
    return times;
}

struct model_bill model_book_billed(struct model_book *book, size_t number)
{
    const struct record *r = find(book, number);
    struct model_bill bill = { 0 };

    pthread_mutex_lock(&book->lock);
    if (r)
        bill = r->bill;
    pthread_mutex_unlock(&book->lock);
    return bill;
}

size_t model_book_replies(struct model_book *book)
{
    size_t count;

    pthread_mutex_lock(&book->lock);
    count = book->replies;
    pthread_mutex_unlock(&book->lock);
    return count;
}

const char *model_book_complaint(struct model_book *book, size_t i)
{
    const char *text;

    pthread_mutex_lock(&book->lock);
    text = i < book->complaints.count ? book->complaints.items[i] : NULL;
    pthread_mutex_unlock(&book->lock);
    return text;
}

static bool wait_for(struct model_book *book, const size_t *what, size_t count, int timeout_ms)
{
    struct timespec until;
    bool there;
    int rc = 0;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += timeout_ms / 1000;
    until.tv_nsec += (long)(timeout_ms % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&book->lock);
    while (*what < count && rc == 0)
        rc = pthread_cond_timedwait(&book->change, &book->lock, &until);
    there = *what >= count;
    pthread_mutex_unlock(&book->lock);
    return there;
}

bool model_book_wait(struct model_book *book, size_t count, int timeout_ms)
{
    return wait_for(book, &book->count, count, timeout_ms);
}

bool model_book_wait_done(struct model_book *book, size_t count, int timeout_ms)
{
    return wait_for(book, &book->done, count, timeout_ms);
}
