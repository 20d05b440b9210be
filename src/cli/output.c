/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A regular file is written under another name beside it, which is then given the file's own: so
 * it may be the input, too, and a failure leaves nothing half done. A link is no regular file here:
 * what it leads to is written to in place.
 */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

bool can_write_to(const char *path, fletch_kind kind)
{
    if (!is_standard(path) || kind == FLETCH_BASE64 || isatty(STDOUT_FILENO) != 1) return true;
    complain("standard output", "a terminal, which takes --to=base64 only");
    return false;
}

bool is_same_file(const char *path, const char *other)
{
    struct stat status, others;

    return !is_standard(path) && !is_standard(other) && stat(path, &status) == 0 &&
           stat(other, &others) == 0 && status.st_dev == others.st_dev &&
           status.st_ino == others.st_ino;
}

static bool write_all(int descriptor, const void *bytes, size_t size)
{
    const char *next = bytes;

    while (size != 0) {
        const ssize_t count = write(descriptor, next, size);

        if (count < 0 && errno != EINTR) return false;
        if (count < 0) continue;
        next += count;
        size -= (size_t)count;
    }
    return true;
}

/* Writes all and closes; false: errno says why. */
static bool fill(int descriptor, fletch_kind kind, const void *bytes, size_t size)
{
    const bool is_written = write_all(descriptor, bytes, size) &&
                            (kind != FLETCH_BASE64 || write_all(descriptor, "\n", 1));
    const int reason = errno;

    if (close(descriptor) != 0) return false;
    errno = reason;
    return is_written;
}

/* Writes to what is there; false: errno says why. */
static bool write_in_place(const char *path, fletch_kind kind, const void *bytes, size_t size)
{
    const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY | O_CLOEXEC;
    const int descriptor = open(path, flags, 0666);

    return descriptor >= 0 && fill(descriptor, kind, bytes, size);
}

/*
 * Writes to `temporary` and renames that to `path`, whose file it takes the place of if there is
 * one (`old` is not NULL); false: errno says why.
 */
static bool replace(const char *path, const char *temporary, const struct stat *old,
                    fletch_kind kind, const void *bytes, size_t size)
{
    const int descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int reason;

    if (descriptor < 0) return false;
    if (old != NULL) (void)fchmod(descriptor, old->st_mode & 0777);
    if (fill(descriptor, kind, bytes, size) && rename(temporary, path) == 0) return true;
    reason = errno;
    unlink(temporary);
    errno = reason;
    return false;
}

/* Writes to a regular file, there already or not; false: errno says why. */
static bool write_file(const char *path, const struct stat *old, fletch_kind kind,
                       const void *bytes, size_t size)
{
    const size_t space = strlen(path) + 32;
    char *temporary;
    bool is_written;
    int reason;

    if (old != NULL && access(path, W_OK) != 0) return false;
    temporary = malloc(space);
    if (temporary == NULL) return false;
    snprintf(temporary, space, "%s.tmp-%ld", path, (long)getpid());
    is_written = replace(path, temporary, old, kind, bytes, size);
    reason = errno;
    free(temporary);
    errno = reason;
    return is_written;
}

int write_output(const char *path, fletch_kind kind, const void *bytes, size_t size)
{
    struct stat status;
    bool is_there, is_written;

    if (is_standard(path)) {
        fwrite(bytes, 1, size, stdout);
        if (kind == FLETCH_BASE64) fputc('\n', stdout);
        return ALL_WELL; /* faults of standard output come out at the end */
    }
    is_there = lstat(path, &status) == 0;
    if (is_there && !S_ISREG(status.st_mode))
        is_written = write_in_place(path, kind, bytes, size);
    else
        is_written = write_file(path, is_there ? &status : NULL, kind, bytes, size);
    return is_written ? ALL_WELL : complain(path, strerror(errno));
}
