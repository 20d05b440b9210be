#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The five ways to use fletch in another project, each as README has it, from folders with spaces
# outside the tree, static and shared, by a user in C and one in C++; and that what is installed
# says one version and exports the functions of its headers only. From any folder:
# sh tests/embedding.sh
set -eu

CDPATH='' cd -- "$(dirname -- "$0")/.."
. tests/support/shell.sh
root=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
version=$(sed -n 's/^#define FLETCH_VERSION  *"\(.*\)"/\1/p' include/fletch/base.h)

# Runs a command; what it prints is shown only if it fails.
quietly() {
    "$@" >"$scratch/log" 2>&1 || {
        cat "$scratch/log"
        fail "$*"
    }
}

install_tools() {
    for tool in gcc g++ make cmake pkg-config readelf; do
        command -v $tool >/dev/null && continue
        install build-essential cmake pkg-config
        return
    done
}

# A user's program, which is C and C++: it writes a schema, reads it, and compares versions.
write_user() {
    cat >"$1" <<'END'
#include <fletch/fletch.h>
#include <fletch/heap.h>

#include <string.h>

int main(void)
{
    const fletch_allocator heap = fletch_heap();
    fletch_builder builder;
    fletch_schema schema;
    const void *bytes;
    size_t size;
    bool good;

    fletch_builder_init_growing(&builder, &heap);
    fletch_add_field(&builder, "id", fletch_int(64, true), 0);
    good = fletch_finish(&builder, FLETCH_STREAM, &bytes, &size, NULL) == FLETCH_OK &&
           fletch_open(bytes, size, &schema, NULL) == FLETCH_OK &&
           fletch_count_fields(&schema.fields) == 1;
    fletch_builder_release(&builder);
    return good && strcmp(fletch_version(), FLETCH_VERSION) == 0 ? 0 : 1;
}
END
}

# A user's CMake project of one language, C or CXX, static or shared:
# FOLDER LANGUAGE SHARED LINES-OF-CMAKE [CMAKE-ARGUMENT...]
build_user() {
    user="$1 $2 $3"
    source=user.c
    [ "$2" = C ] || source=user.cc
    mkdir "$user"
    write_user "$user/$source"
    printf '%s\n' 'cmake_minimum_required(VERSION 3.16)' "project(user $2)" "$4" \
        "add_executable(user $source)" 'target_link_libraries(user PRIVATE fletch::fletch)' \
        >"$user/CMakeLists.txt"
    shared=$3
    shift 4
    quietly cmake -S "$user" -B "$user/build" -DBUILD_SHARED_LIBS="$shared" "$@"
    quietly cmake --build "$user/build"
    "$user/build/user" || fail "$user"
}

# Both languages, static and shared: FOLDER LINES-OF-CMAKE [CMAKE-ARGUMENT...]
build_users() {
    folder=$1 lines=$2
    shift 2
    for language in C CXX; do
        for linkage in OFF ON; do
            build_user "$folder" $language $linkage "$lines" "$@"
        done
    done
}

# The one command, in a folder that has nothing but a copy and the user's program.
check_copy() {
    mkdir -p "$scratch/a copy/src"
    cp -R include "$scratch/a copy"
    cp src/*.c src/*.h "$scratch/a copy/src"
    write_user "$scratch/a copy/user.c"
    (
        cd "$scratch/a copy"
        cc -Iinclude user.c src/*.c -o user
        ./user
        cc -std=c99 -Iinclude -c src/*.c
        c++ -Iinclude -x c++ user.c -x none ./*.o -o user
        ./user
        cc -shared -fPIC -fvisibility=hidden -Iinclude src/*.c -o libfletch.so
        cc -Iinclude user.c ./libfletch.so -o user
        ./user
        c++ -Iinclude -x c++ user.c -x none ./libfletch.so -o user
        ./user
    )
    passed "include/ and src/ copied and compiled by one command"
}

check_subdirectory() {
    build_users "$scratch/sub directory" "add_subdirectory(\"$root\" fletch)"
    made=$(find "$scratch/sub directory C OFF/build" -type f -perm -u+x \
        ! -path '*/CMakeFiles/*' ! -name user)
    [ -z "$made" ] || fail "add_subdirectory also makes $made"
    quietly cmake --install "$scratch/sub directory C OFF/build" --prefix "$scratch/nothing"
    [ ! -e "$scratch/nothing" ] || fail "add_subdirectory also installs"
    passed "add_subdirectory, which makes the library and nothing else"
}

# FetchContent from a folder, and from an archive.
check_fetch_content() {
    mkdir "$scratch/an archive" "$scratch/an archive/fletch"
    cp -R CMakeLists.txt include src "$scratch/an archive/fletch"
    tar -C "$scratch/an archive" -czf "$scratch/an archive/fletch.tar.gz" fletch
    for place in "SOURCE_DIR \"$root\"" "URL \"$scratch/an archive/fletch.tar.gz\""; do
        build_users "$scratch/fetched ${place%% *}" "include(FetchContent)
            FetchContent_Declare(fletch $place)
            FetchContent_MakeAvailable(fletch)"
    done
    passed "FetchContent from a folder and from an archive"
}

# Installs into "$scratch/installed SHARED", by way of another place.
install_fletch() {
    quietly cmake -S . -B "$scratch/build $1" -DFLETCH_TESTS=OFF -DBUILD_SHARED_LIBS="$1" \
        -DCMAKE_INSTALL_LIBDIR=lib
    quietly cmake --build "$scratch/build $1" -j 2
    quietly cmake --install "$scratch/build $1" --prefix "$scratch/first place"
    mv "$scratch/first place" "$scratch/installed $1"
    ! grep -rq "$scratch/first place" "$scratch/installed $1" ||
        fail "what is installed knows the place where it was"
}

check_find_package() {
    for installed in OFF ON; do
        for language in C CXX; do
            build_user "$scratch/package" $language $installed \
                'find_package(fletch 0.1 CONFIG REQUIRED)' \
                -DCMAKE_PREFIX_PATH="$scratch/installed $installed"
        done
    done
    for wanted in 0.0 0.2 1.0; do
        mkdir "$scratch/wants $wanted"
        printf '%s\n' 'cmake_minimum_required(VERSION 3.16)' 'project(user C)' \
            "find_package(fletch $wanted CONFIG REQUIRED)" >"$scratch/wants $wanted/CMakeLists.txt"
        ! cmake -S "$scratch/wants $wanted" -B "$scratch/wants $wanted/build" \
            -DCMAKE_PREFIX_PATH="$scratch/installed OFF" >"$scratch/log" 2>&1 ||
            fail "find_package takes this version for $wanted"
    done
    passed "find_package of an installation that was moved, and not of another version"
}

# pkg-config 0.29, unlike pkgconf, finds nothing in a folder with spaces: it gets links without.
check_pkg_config() {
    write_user "$scratch/user.c"
    for installed in OFF ON; do
        place="$scratch/installed $installed"
        if ! pkg-config --about >/dev/null 2>&1; then
            ln -s "$place" "$scratch/installed_$installed"
            place="$scratch/installed_$installed"
        fi
        export PKG_CONFIG_PATH="$place/lib/pkgconfig"
        for compiler in cc "c++ -x c++"; do
            eval "$compiler '$scratch/user.c' -x none -o '$scratch/by pkg-config'" \
                "$(pkg-config --cflags --libs fletch)"
            LD_LIBRARY_PATH="$scratch/installed $installed/lib" "$scratch/by pkg-config" ||
                fail "pkg-config"
        done
        [ "$(pkg-config --modversion fletch)" = "$version" ] || fail "pkg-config --modversion"
    done
    passed "pkg-config --cflags --libs fletch"
}

# One version: of the macro, the parts, the program, the library's names and the man page.
check_version() {
    parts=$(sed -n 's/^#define FLETCH_VERSION_[A-Z]* *\([0-9]*\)$/\1/p' include/fletch/base.h)
    [ "$(echo $parts | tr ' ' .)" = "$version" ] || fail "FLETCH_VERSION_MAJOR, MINOR, PATCH"
    [ "$("$scratch/installed OFF/bin/fletch" --version)" = "fletch $version" ] ||
        fail "fletch --version"
    [ -f "$scratch/installed ON/lib/libfletch.so.$version" ] || fail "the shared library's name"
    soname=$(readelf -d "$scratch/installed ON/lib/libfletch.so" |
        sed -n 's/.*soname: \[\(.*\)\]/\1/p')
    [ "$soname" = "libfletch.so.${version%.*}" ] || fail "the soname $soname"
    page="$scratch/installed OFF/share/man/man1/fletch.1"
    grep -qx "\.Os fletch $version" "$page" || fail "the version of the man page"
    passed "one version, $version, in headers, program, soname, package and pkg-config"
}

# The shared library exports the functions that its headers declare, and nothing else.
check_exports() {
    (cd include && printf '#include <%s>\n' fletch/*.h) >"$scratch/all.c"
    gcc -Iinclude -fsyntax-only -aux-info "$scratch/declared.txt" "$scratch/all.c"
    sed -n 's|^/\* include/fletch/.* extern .*[ *]\(fletch_[a-z0-9_]*\) (.*|\1|p' \
        "$scratch/declared.txt" | sort -u >"$scratch/declared"
    nm -D --defined-only "$scratch/installed ON/lib/libfletch.so" |
        awk '{ print $3 }' | sort -u >"$scratch/exported"
    [ -s "$scratch/declared" ] || fail "no functions are found in the headers"
    diff "$scratch/declared" "$scratch/exported" >&2 || fail "declared (<) and exported (>) differ"
    passed "the shared library exports the $(wc -l <"$scratch/exported") functions of its headers"
}

install_tools
check_copy
check_subdirectory
check_fetch_content
install_fletch OFF
install_fletch ON
check_find_package
check_pkg_config
check_version
check_exports
