# SPDX-License-Identifier: Apache-2.0
"""Tries mutants of src/*.c and src/*.h against the tests; see tests/mutate.sh for how to call it.

The library is built as a shared object, so that a mutant costs one compilation
and one link; the tests and the program are built once. Tests run in the order in which they have
killed most in that file for the time that they take, up to the first that fails. Slow tests, but
for those of the changed file, are left for what survives all others; in between, what survives is
tried with the sanitizers, as CI runs the tests. A test that takes far longer than it should has
failed.
"""

import argparse
import collections
import hashlib
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import mutants

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EQUIVALENT = os.path.join(ROOT, "tests", "mutate", "equivalent")
SHARED = os.path.join(os.path.dirname(ROOT), "shared")
PARTS = ("src", "include", "tests", "fuzz")
MEMORY = 3 << 30  # bytes that a test may allocate
# Fast enough code; that nothing is inlined by force saves more than it costs.
LIBRARY = ["-O1", "-U__OPTIMIZE__"]
SLOW = 3.0  # seconds that a test may take to be among the first
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def words_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def sources(folder, ending=".c"):
    names = sorted(os.listdir(os.path.join(ROOT, folder)))
    return [folder + "/" + name for name in names if name.endswith(ending)]


class Test:
    """An executable, what it is run with, and how long it took on the true source."""

    def __init__(self, name, arguments=(), seconds=0.0):
        self.name = name
        self.arguments = list(arguments)
        self.seconds = seconds


class Build:
    """The tree copied and built in a folder of its own, with more flags or none."""

    def __init__(self, folder, flags, wanted):
        self.folder = folder
        self.wanted = wanted
        self.flags = flags
        self.kills = collections.Counter()
        self.needs = {source: self.needs_of(source) for source in sources("src")}
        self.tests = self.kept()
        if self.tests is None:
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
            for part in PARTS:
                shutil.copytree(os.path.join(ROOT, part), os.path.join(folder, part),
                                ignore=shutil.ignore_patterns("node_modules"))
            shutil.copy(os.path.join(ROOT, "README.md"), folder)
            self.compile_library(sources("src"))
            self.tests = self.build_tests()
            self.measure()
            self.keep()
        self.true_code = {source: self.code_of(source) for source in sources("src")}

    def stamp(self):
        """What stands for the tree's content."""
        content = hashlib.sha256()
        for part in PARTS:
            for folder, _, names in sorted(os.walk(os.path.join(ROOT, part))):
                for name in sorted(names):
                    if name.endswith((".c", ".h")):
                        with open(os.path.join(folder, name), "rb") as file:
                            content.update(file.read())
        return content.hexdigest()

    def keep(self):
        with open(os.path.join(self.folder, "kept.json"), "w", encoding="utf-8") as file:
            json.dump([self.stamp(), [vars(test) for test in self.tests]], file)

    def kept(self):
        """The tests of a build of the same tree in that folder, or None."""
        path = os.path.join(self.folder, "kept.json")
        if not os.path.exists(path):
            return None
        with open(path, encoding="utf-8") as file:
            stamp, tests = json.load(file)
        if stamp != self.stamp():
            return None
        if self.wanted and self.wanted != [test["name"] for test in tests]:
            return None
        return [Test(test["name"], test["arguments"], test["seconds"]) for test in tests]

    def needs_of(self, source):
        """The headers in src/ that a source includes, however deep."""
        words = words_of("gcc", "-MM", "-I" + os.path.join(ROOT, "include"),
                         os.path.join(ROOT, source))
        names = [os.path.relpath(word, ROOT) for word in words if word.startswith(ROOT)]
        return {name for name in names if name.startswith("src/") and name.endswith(".h")}

    def gcc(self, *arguments):
        command = ["gcc", "-std=c99", "-w", "-Iinclude", *self.flags, *arguments]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True,
                              check=False)

    def object_of(self, source):
        return os.path.basename(source) + ".o"

    def compile_library(self, changed):
        """Compiles what changed and links anew; false if that does not go."""
        for source in changed:
            if self.gcc(*LIBRARY, "-fPIC", "-c", source, "-o", self.object_of(source)).returncode:
                return False
        objects = [self.object_of(source) for source in sources("src")]
        return self.gcc("-shared", *objects, "-o", "libfletch.so").returncode == 0

    def build_one(self, name, *arguments):
        """Builds an executable of `arguments` and the library."""
        done = self.gcc("-O1", *arguments, "-L.", "-lfletch", "-Wl,-rpath," + self.folder,
                        "-o", name)
        if done.returncode:
            sys.exit("mutate: %s does not build\n%s" % (name, done.stderr))

    def build_tests(self):
        program = os.path.join(self.folder, "fletch")
        self.build_one("fletch", *sources("src/cli"))
        definitions = ["-DFLETCH_DATA_DIR=\"%s/tests/data\"" % self.folder,
                       "-DFLETCH_SHARED_DIR=\"%s\"" % SHARED,
                       "-DFLETCH_PROGRAM_PATH=\"%s\"" % program]
        reader = ["src/cli/json_reader.c", "src/cli/json_schema.c"]
        with_cmocka = ["-Isrc", "-Itests", *words_of("pkg-config", "--cflags", "cmocka")]
        libraries = [*words_of("pkg-config", "--libs", "cmocka"), "-pthread"]
        tests = []
        for source in sources("tests"):
            name = os.path.basename(source)[:-2]
            if self.wanted and name not in self.wanted:
                continue
            more = reader if name == "test_json_reader" else []
            self.build_one(name, *definitions, *with_cmocka, source, *more,
                           *sources("tests/support"), *libraries)
            tests.append(Test(name))
        for source in [name for name in sources("fuzz") if "/fuzz_" in name]:
            name = os.path.basename(source)[:-2]
            if self.wanted and "replay-" + name not in self.wanted:
                continue
            more = reader if name == "fuzz_json" else []
            self.build_one("replay-" + name, "-Isrc/cli", source, "fuzz/replay.c", *more)
            tests.append(Test("replay-" + name, [
                folder for folder in ("fuzz/corpus/" + name, "fuzz/regressions/" + name)
                if os.path.isdir(os.path.join(self.folder, folder))]))
        return tests

    def run(self, test, seconds):
        """Whether a test passes; it may take so many seconds of processor time."""
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
            if not self.flags:  # the sanitizers reserve more than there is
                resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        command = [os.path.join(self.folder, test.name), *test.arguments]
        with subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              preexec_fn=limit, start_new_session=True) as process:
            try:
                return process.wait(timeout=60 + 10 * seconds) == 0
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                return False

    def measure(self):
        """All tests must pass on the true source; notes how long they take."""
        for test in self.tests:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            if not self.run(test, 600):
                sys.exit("mutate: %s fails on the true source" % test.name)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            test.seconds = max(0.01, after.ru_utime + after.ru_stime - before.ru_utime -
                               before.ru_stime)

    def code_of(self, source):
        return self.gcc("-O2", "-S", "-o", "-", source).stdout

    def has_true_code(self, names):
        """Whether optimised code is the same with the change: then it changes nothing at all."""
        return all(self.code_of(name) == self.true_code[name] for name in names)

    def order(self, path, slow):
        """The fast tests, or the slow ones, those first that promise most kills for their time."""
        own = os.path.basename(path).split(".")[0].split("_")[0]
        tests = [test for test in self.tests
                 if (test.seconds > SLOW and own not in test.name) == slow]
        return sorted(tests, key=lambda test: test.seconds / (
            0.05 + self.kills[path, test.name] + (0.5 if own in test.name else 0)))

    def users_of(self, path):
        """The sources that have a file's code in them."""
        return [path] if path.endswith(".c") else \
            [name for name, needs in self.needs.items() if path in needs]

    def killer(self, mutant, source, slow=False):
        """What notices the mutant: a test's name, the compiler, or that the code is the same."""
        path = os.path.join(self.folder, mutant.path)
        changed = self.users_of(mutant.path)
        try:
            with open(path, "w", encoding="utf-8") as file:
                file.write(mutants.apply(mutant, source))
            if not self.compile_library(changed):
                return "the compiler"
            for test in self.order(mutant.path, slow):
                if not self.run(test, 2 + 5 * test.seconds):
                    self.kills[mutant.path, test.name] += 1
                    return test.name
            if not self.flags and not slow and self.has_true_code(changed):
                return "no change in the code"
            return None
        finally:
            with open(path, "w", encoding="utf-8") as file:
                file.write(source)
            for name in changed:  # so that the next mutant finds true objects
                self.gcc(*LIBRARY, "-fPIC", "-c", name, "-o", self.object_of(name))


class Equivalents:
    """tests/mutate/equivalent: changes that no test can notice, each with a reason.

    A line is FILE | LINE'S TEXT OR * | CHANGE OR * | REASON; a text holds where it is part of the
    line's.
    """

    def __init__(self):
        self.rows = []
        if not os.path.exists(EQUIVALENT):
            return
        with open(EQUIVALENT, encoding="utf-8") as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    self.rows.append([part.strip() for part in line.split(" | ", 3)])

    def reason(self, mutant, text):
        for path, part, what, reason in self.rows:
            if path == mutant.path and part in ("*", text) or path == mutant.path and part in text:
                if what in ("*", mutant.what):
                    return reason
        return None


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def pick(arguments):
    """The mutants to try, in the order of files and places."""
    paths = arguments.files.split(",") if arguments.files else \
        sources("src", ".c") + sources("src", ".h")
    found = [mutant for path in paths for mutant in mutants.mutants_of(path, read(path))]
    if arguments.again:
        with open(arguments.again, encoding="utf-8") as file:
            again = [line.strip() for line in file]
        found = [mutant for mutant in found if any(describe(mutant) in line for line in again)]
    if arguments.sample and arguments.sample < len(found):
        chosen = random.Random(arguments.seed).sample(range(len(found)), arguments.sample)
        found = [found[i] for i in sorted(chosen)]
    return found


def line_of(mutant):
    return read(mutant.path).splitlines()[mutant.line - 1].strip()


def describe(mutant):
    return "%s:%d | %s | %s" % (mutant.path, mutant.line, mutant.what, line_of(mutant))


def sift(chosen, killer_of, what, deaths):
    """The mutants that `killer_of` finds no killer for; says how far it is."""
    left = []
    begin = time.time()
    for count, mutant in enumerate(chosen, 1):
        killer = killer_of(mutant)
        if killer is None:
            left.append(mutant)
            print("  survives %s: %s" % (what, describe(mutant)), flush=True)
        else:
            deaths[killer] += 1
        if count % 50 == 0:
            print("mutate: %d of %d tried, %d survive %s, %.0f s" %
                  (count, len(chosen), len(left), what, time.time() - begin), flush=True)
    return left


def try_all(chosen, scratch, wanted):
    """The mutants that survive, and how many died by what."""
    equivalents = Equivalents()
    explained = [mutant for mutant in chosen if equivalents.reason(mutant, line_of(mutant))]
    deaths = collections.Counter()
    plain = Build(os.path.join(scratch, "plain"), [], wanted)
    left = sift([mutant for mutant in chosen if mutant not in explained],
                lambda mutant: plain.killer(mutant, read(mutant.path)), "the fast tests", deaths)
    if left:
        sanitized = Build(os.path.join(scratch, "sanitized"), SANITIZE, wanted)
        left = sift(left, lambda mutant: sanitized.killer(mutant, read(mutant.path)),
                    "them with sanitizers", deaths)
        left = sift(left, lambda mutant: plain.killer(mutant, read(mutant.path), True),
                    "the slow tests", deaths)
    return sorted(left + explained), deaths


def report(chosen, survivors, deaths, arguments):
    equivalents = Equivalents()
    left = 0
    lines = []
    for mutant in survivors:
        reason = equivalents.reason(mutant, line_of(mutant))
        left += reason is None
        lines.append("%s%s" % (describe(mutant), " | " + reason if reason else ""))
        print(("survived: %s" if reason is None else "equivalent: %s") % lines[-1])
    if arguments.kept:
        with open(arguments.kept, "w", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in lines))
    void = deaths["the compiler"] + deaths["no change in the code"]
    made = len(chosen) - void
    killed = made - len(survivors)
    explained = len(survivors) - left
    rate = 100.0 * killed / max(1, made - explained)
    print("mutate: %d mutants made (%d more do not compile or leave the code as it was), %d killed, "
          "%d survived, of which %d explained: %.1f %% of the others killed" %
          (made, void, killed, len(survivors), explained, rate))
    return rate


def main():
    parser = argparse.ArgumentParser(prog="mutate.sh")
    parser.add_argument("--files")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--below", type=float, default=95.0)
    parser.add_argument("--kept")
    parser.add_argument("--again")
    parser.add_argument("--tests")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    chosen = pick(arguments)
    wanted = sorted(arguments.tests.split(",")) if arguments.tests else []
    if arguments.list:
        print("\n".join(describe(mutant) for mutant in chosen))
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        survivors, deaths = try_all(chosen, os.environ.get("BUILD", scratch), wanted)
        rate = report(chosen, survivors, deaths, arguments)
    if rate < arguments.below:
        print("FAILED: fewer than %.0f %% of the mutants are killed" % arguments.below)
        return 1
    print("passed: mutants")
    return 0


if __name__ == "__main__":
    sys.exit(main())
