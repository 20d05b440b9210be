/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files are mapped, not read, so that opening one costs no more than its schema; pipes, and what
 * can't be mapped, are read into memory.
 *
 * A mapped file that another process cuts short answers with SIGBUS. The handler says so and ends
 * the program: what was printed before is flushed before anything is mapped.
 */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64

#include "bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_BLOCK 65536u

static void end_by_bus_error(int signal_number)
{
    static const char text[] = "fletch: a file became shorter, or failed, while it was read\n";

    (void)signal_number;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(TROUBLE);
    _exit(TROUBLE);
}

static void catch_bus_errors(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = end_by_bus_error;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}

/* Maps all of a regular file; false: it has to be read. */
static bool map_file(int descriptor, size_t size, struct input *input)
{
    void *bytes;

    if (size == 0 || lseek(descriptor, 0, SEEK_CUR) != 0) return false;
    flush_output();
    catch_bus_errors();
    bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (bytes == MAP_FAILED) return false;
    input->bytes = bytes;
    input->size = size;
    input->is_mapped = true;
    return true;
}

/* Doubles a block; NULL, with errno set and the block freed, if that can't be. */
static unsigned char *grow(unsigned char *block, size_t *size)
{
    size_t larger = *size == 0 ? FIRST_BLOCK : *size * 2;
    unsigned char *moved = larger > *size ? realloc(block, larger) : NULL;

    if (moved == NULL) {
        free(block);
        errno = ENOMEM;
        return NULL;
    }
    *size = larger;
    return moved;
}

/* Reads up to the end into memory; false: errno says why. */
static bool read_all(int descriptor, struct input *input)
{
    unsigned char *block = NULL;
    size_t space = 0, used = 0;
    ssize_t count;

    for (;;) {
        if (used == space && (block = grow(block, &space)) == NULL) return false;
        count = read(descriptor, block + used, space - used);
        if (count > 0)
            used += (size_t)count;
        else if (count == 0)
            break;
        else if (errno != EINTR) {
            int reason = errno;
            free(block);
            errno = reason;
            return false;
        }
    }
    input->bytes = block;
    input->size = used;
    return true;
}

/* Gets the bytes behind a descriptor; false: errno says why. */
static bool load(int descriptor, struct input *input)
{
    struct stat status;

    if (fstat(descriptor, &status) != 0) return false;
    if (S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (!S_ISREG(status.st_mode)) return read_all(descriptor, input);
    if ((uintmax_t)status.st_size > (uintmax_t)(SIZE_MAX / 2)) {
        errno = EFBIG;
        return false;
    }
    return map_file(descriptor, (size_t)status.st_size, input) || read_all(descriptor, input);
}

/* Opens a file, or standard input for "-"; false: said why on standard error. */
static bool open_input(struct input *input, const char *path)
{
    bool is_standard = strcmp(path, "-") == 0;
    int descriptor = is_standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    bool is_loaded;

    memset(input, 0, sizeof *input);
    input->name = is_standard ? "standard input" : path;
    is_loaded = descriptor >= 0 && load(descriptor, input);
    if (!is_loaded) complain(input->name, strerror(errno));
    if (!is_standard && descriptor >= 0) close(descriptor);
    return is_loaded;
}

static void close_input(struct input *input)
{
    if (input->is_mapped)
        munmap(input->bytes, input->size);
    else
        free(input->bytes);
    free(input->scratch);
}

int with_input(const struct arguments *arguments, const char *path, input_action action)
{
    struct input input;
    int result;

    if (!open_input(&input, path)) return TROUBLE;
    result = action(arguments, &input);
    output_fault();
    close_input(&input);
    return result;
}

int for_each_input(const struct arguments *arguments, input_action action)
{
    int worst = ALL_WELL;
    int i;

    for (i = 0; i < arguments->file_count && output_fault() == 0; i++) {
        const int result = with_input(arguments, arguments->files[i], action);

        if (result > worst) worst = result;
    }
    return worst;
}

/* `size` bytes, or NULL with `error` filled. */
static void *allocate(uint64_t size, fletch_error *error)
{
    void *block = size <= SIZE_MAX ? malloc((size_t)size) : NULL;

    if (block == NULL) {
        memset(error, 0, sizeof *error);
        error->status = FLETCH_NO_MEMORY;
        error->wanted = size;
        snprintf(error->sentence, sizeof error->sentence, "no memory of %llu bytes",
                 (unsigned long long)size);
    }
    return block;
}

fletch_status open_schema(struct input *input, fletch_kind kind, fletch_level level,
                          fletch_schema *schema, fletch_error *error)
{
    fletch_options options;
    fletch_status status;

    memset(&options, 0, sizeof options);
    options.kind = kind;
    options.level = level;
    options.scratch = input->scratch;
    options.scratch_size = input->scratch_size;
    status = fletch_open_with(input->bytes, input->size, &options, schema, error);
    if (status != FLETCH_NO_SPACE || input->scratch != NULL) return status;
    input->scratch = allocate(error->wanted, error);
    if (input->scratch == NULL) return FLETCH_NO_MEMORY;
    input->scratch_size = (size_t)error->wanted;
    options.scratch = input->scratch;
    options.scratch_size = input->scratch_size;
    return fletch_open_with(input->bytes, input->size, &options, schema, error);
}

fletch_status check_dictionaries(const fletch_schema *schema, fletch_error *error)
{
    fletch_status status = fletch_check_dictionaries(schema, NULL, 0, NULL, error);
    size_t size;
    void *memory;

    if (status != FLETCH_NO_SPACE) return status;
    memory = allocate(error->wanted, error);
    if (memory == NULL) return FLETCH_NO_MEMORY;
    size = (size_t)error->wanted;
    status = fletch_check_dictionaries(schema, memory, size, NULL, error);
    free(memory);
    return status;
}

fletch_status judge(struct input *input, fletch_kind kind, fletch_level level,
                    fletch_schema *schema, fletch_error *error)
{
    fletch_status status = open_schema(input, kind, level, schema, error);

    if (status != FLETCH_OK || level == FLETCH_LEVEL_STRUCTURE) return status;
    return check_dictionaries(schema, error);
}

int complain_of_input(struct input *input, fletch_kind kind, const fletch_error *error)
{
    const int result = complain_of_fault(input->name, error);
    struct place place;

    if (error->status == FLETCH_NO_MEMORY || error->status == FLETCH_EMPTY) return result;
    place = find_place(input, kind, error);
    write_place(stderr, &place);
    return result;
}
