/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzz target over files and folders of inputs, with any compiler: replay PATH... */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64

#include "check.h"

#include <dirent.h>
#include <sys/stat.h>

static unsigned long inputs;

static void replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes;
    long size;

    CHECK(file != NULL);
    CHECK(fseek(file, 0, SEEK_END) == 0);
    size = ftell(file);
    CHECK(size >= 0);
    rewind(file);
    bytes = (uint8_t *)malloc((size_t)size + 1);
    CHECK(bytes != NULL);
    CHECK(fread(bytes, 1, (size_t)size, file) == (size_t)size);
    fclose(file);
    LLVMFuzzerTestOneInput(bytes, (size_t)size);
    free(bytes);
    inputs++;
}

static void replay(const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    char name[4096];

    if (folder == NULL) {
        replay_file(path);
        return;
    }
    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.') continue;
        CHECK(snprintf(name, sizeof name, "%s/%s", path, entry->d_name) < (int)sizeof name);
        replay(name);
    }
    closedir(folder);
}

int main(int count, char **words)
{
    int i;

    for (i = 1; i < count; i++)
        replay(words[i]);
    printf("%lu inputs\n", inputs);
    return inputs != 0 ? 0 : 1;
}
