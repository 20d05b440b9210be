# SPDX-License-Identifier: Apache-2.0
"""Tries mutants of src/*.c and src/*.h against the tests; see tests/mutate.sh for how to call it.

The library is built as a shared object, so that a mutant costs one compilation and one link; the
tests and the program are built once. Tests run in the order in which they have killed most in that
file for the time that they take, up to the first that fails. Slow tests, but for those of the
changed file, are left for what survives all others; in between, what survives is tried with a
library that has sanitizers. A test that takes far longer than it should has failed. Mutants are
tried side by side, each in a place of its own.
"""

import argparse
import collections
import concurrent.futures
import functools
import hashlib
import json
import os
import queue
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import mutants

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EQUIVALENT = os.path.join(ROOT, "tests", "mutate", "equivalent")
SHARED = os.path.join(os.path.dirname(ROOT), "shared")
PARTS = ("src", "include", "tests", "fuzz")
MEMORY = 3 << 20  # KiB that a test may allocate
# Fast enough code; that nothing is inlined by force saves more than it costs.
LIBRARY = ["-O1", "-U__OPTIMIZE__"]
SLOW = 1.0  # seconds that a test may take to be among the first
FIRST = "the fast tests"
PROMISING = 5  # tests that run before it is looked whether the code is another at all
NOT_SANITIZED = ("test_stack",)  # it measures frames, which sanitizers widen
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def words_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def needs_of(source):
    """The headers in src/ that a source includes, however deep."""
    words = words_of("gcc", "-MM", "-I" + os.path.join(ROOT, "include"), os.path.join(ROOT, source))
    names = [os.path.relpath(word, ROOT) for word in words if word.startswith(ROOT)]
    return {os.path.normpath(name) for name in names if name.endswith(".h")}


@functools.lru_cache(maxsize=None)
def runtime(name):
    """Where gcc has a library of the sanitizers."""
    return words_of("gcc", "-print-file-name=" + name)[0]


def object_of(source):
    return os.path.basename(source) + ".o"


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
    """The tree copied and built in a folder of its own.

    With a lender, only the library is built, with sanitizers; the tests are the lender's fast ones.
    """

    def __init__(self, folder, wanted, jobs, lender=None):
        self.folder = folder
        self.lender = lender
        self.flags = SANITIZE if lender else []
        self.wanted = wanted
        self.sources = sources("src")
        self.true_code = {}
        self.tests = self.kept()
        if self.tests is None:
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
            for part in PARTS:
                shutil.copytree(os.path.join(ROOT, part), os.path.join(folder, part),
                                ignore=shutil.ignore_patterns("node_modules"))
            shutil.copy(os.path.join(ROOT, "README.md"), folder)
            with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
                self.build_library(pool)
                self.tests = self.borrowed() if lender else self.build_tests(pool)
                self.measure(pool)
            self.keep()

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
            json.dump([self.stamp(), self.wanted, [vars(test) for test in self.tests]], file)

    def kept(self):
        """The tests of a build of the same tree in that folder, or None."""
        path = os.path.join(self.folder, "kept.json")
        if not os.path.exists(path):
            return None
        with open(path, encoding="utf-8") as file:
            stamp, wanted, tests = json.load(file)
        if stamp != self.stamp() or wanted != self.wanted:
            return None
        return [Test(test["name"], test["arguments"], test["seconds"]) for test in tests]

    def gcc(self, *arguments, folder=None):
        command = ["gcc", "-std=c99", "-w", "-Iinclude", *self.flags, *arguments]
        return subprocess.run(command, cwd=folder or self.folder, capture_output=True, text=True,
                              check=False)

    def compiles(self, source, folder=None):
        return self.gcc(*LIBRARY, "-fPIC", "-c", source, "-o", object_of(source),
                        folder=folder).returncode == 0

    def links(self, changed, folder):
        """Makes the library in `folder`: of the objects there, and of the true others."""
        objects = [object_of(source) if source in changed else
                   os.path.join(self.folder, object_of(source)) for source in self.sources]
        return self.gcc("-shared", *objects, "-o", "libfletch.so", folder=folder).returncode == 0

    def build_library(self, pool):
        if not all(pool.map(self.compiles, self.sources)) or \
                not self.links(self.sources, self.folder):
            sys.exit("mutate: the library does not build")

    def build_one(self, name, *arguments):
        """Builds an executable of `arguments` and the library."""
        done = self.gcc("-O1", *arguments, "-L.", "-lfletch", "-Wl,--enable-new-dtags",
                        "-Wl,-rpath," + self.folder, "-o", name)
        if done.returncode:
            sys.exit("mutate: %s does not build\n%s" % (name, done.stderr))

    def build_tests(self, pool):
        program = os.path.join(self.folder, "fletch")
        definitions = ["-DFLETCH_DATA_DIR=\"%s/tests/data\"" % self.folder,
                       "-DFLETCH_SHARED_DIR=\"%s\"" % SHARED,
                       "-DFLETCH_PROGRAM_PATH=\"%s\"" % program]
        reader = ["src/cli/json_reader.c", "src/cli/json_schema.c"]
        with_cmocka = ["-Isrc", "-Itests", *words_of("pkg-config", "--cflags", "cmocka")]
        libraries = [*words_of("pkg-config", "--libs", "cmocka"), "-pthread"]
        tests = []
        commands = [("fletch", *sources("src/cli"))]
        for source in sources("tests"):
            name = os.path.basename(source)[:-2]
            if self.wanted and name not in self.wanted:
                continue
            more = reader if name == "test_json_reader" else []
            commands.append((name, *definitions, *with_cmocka, source, *more,
                             *sources("tests/support"), *libraries))
            tests.append(Test(name))
        for source in [name for name in sources("fuzz") if "/fuzz_" in name]:
            name = os.path.basename(source)[:-2]
            if self.wanted and "replay-" + name not in self.wanted:
                continue
            more = reader if name == "fuzz_json" else []
            commands.append(("replay-" + name, "-Isrc/cli", source, "fuzz/replay.c", *more))
            tests.append(Test("replay-" + name, [
                folder for folder in ("fuzz/corpus/" + name, "fuzz/regressions/" + name)
                if os.path.isdir(os.path.join(self.folder, folder))]))
        list(pool.map(lambda command: self.build_one(*command), commands))
        return tests

    def borrowed(self):
        return [Test(test.name, test.arguments) for test in self.lender.tests
                if test.seconds <= SLOW and test.name not in NOT_SANITIZED]

    def environment(self, library):
        """What has a test use the library in a folder, and sanitizers if that needs them."""
        names = dict(os.environ, LD_LIBRARY_PATH=library)
        if self.lender:
            names["LD_PRELOAD"] = " ".join(runtime(name) for name in ("libasan.so", "libubsan.so"))
        return names

    def run(self, test, seconds, library):
        """Whether a test passes with the library of a folder, and the processor time it took.

        It may take so many seconds of it."""
        memory = "" if self.lender else "ulimit -d %d;" % MEMORY  # sanitizers reserve a lot
        limits = "ulimit -c 0; ulimit -t %d; %s exec \"$@\"" % (int(seconds) + 1, memory)
        home = self.lender.folder if self.lender else self.folder
        command = ["sh", "-c", limits, "sh", os.path.join(home, test.name), *test.arguments]
        with subprocess.Popen(command, cwd=home, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              env=self.environment(library), start_new_session=True) as process:
            alarm = threading.Timer(60 + 10 * seconds, os.killpg, (process.pid, 9))
            alarm.start()
            _, status, used = os.wait4(process.pid, 0)
            alarm.cancel()
            process.returncode = status
            return status == 0, used.ru_utime + used.ru_stime

    def measure(self, pool):
        """All tests must pass on the true source; notes how long they take."""
        def twice(test):
            passes, seconds = self.run(test, 600, self.folder)
            return (passes, seconds) if passes else self.run(test, 600, self.folder)

        runs = pool.map(twice, self.tests)
        for test, (passes, seconds) in zip(self.tests, runs):
            if not passes:
                sys.exit("mutate: %s fails on the true source%s" % (
                    test.name, " with sanitizers" if self.lender else ""))
            test.seconds = max(0.01, seconds)

    def code_of(self, source, folder=None):
        return self.gcc("-O2", "-S", "-o", "-", source, folder=folder).stdout

    def true_code_of(self, source):
        if source not in self.true_code:
            self.true_code[source] = self.code_of(source)
        return self.true_code[source]


class Place:
    """A copy of the sources in a build, where one mutant at a time is made and tried."""

    def __init__(self, build, number):
        self.build = build
        self.folder = os.path.join(build.folder, "place-%d" % number)
        shutil.rmtree(self.folder, ignore_errors=True)
        for part in ("src", "include"):
            shutil.copytree(os.path.join(build.folder, part), os.path.join(self.folder, part))

    def write(self, path, text):
        with open(os.path.join(self.folder, path), "w", encoding="utf-8") as file:
            file.write(text)

    def make(self, mutant, changed):
        """Makes the library with the change; false if that does not go."""
        self.write(mutant.path, mutants.apply(mutant, read(mutant.path)))
        return all(self.build.compiles(source, self.folder) for source in changed) and \
            self.build.links(changed, self.folder)

    def clear(self, mutant):
        self.write(mutant.path, read(mutant.path))

    def changes_code(self, changed):
        """Whether optimised code is another with the change; else it changes nothing at all."""
        return any(self.build.code_of(source, self.folder) != self.build.true_code_of(source)
                   for source in changed)

    def passes(self, test):
        """Once of twice is enough: on a busy machine a test may fail by itself."""
        return any(self.build.run(test, 2 + 5 * test.seconds, self.folder)[0] for _ in range(2))


def own_of(path):
    """What names of a file's own tests have in them."""
    return os.path.basename(path).split(".")[0].split("_")[0]


class Trial:
    """All that mutants are tried with."""

    def __init__(self, scratch, wanted, jobs):
        self.plain = Build(os.path.join(scratch, "plain"), wanted, jobs)
        self.sanitized = Build(os.path.join(scratch, "sanitized"), wanted, jobs, self.plain)
        self.places = queue.Queue()
        for number in range(jobs):
            self.places.put((Place(self.plain, number), Place(self.sanitized, number)))
        self.needs = {source: needs_of(source) for source in self.plain.sources}
        self.kills = collections.Counter()

    def order(self, tests, path):
        """Tests, those first that promise most kills for their time."""
        own = own_of(path)
        return sorted(tests, key=lambda test: test.seconds / (
            0.05 + self.kills[path, test.name] + (0.5 if own in test.name else 0)))

    def users_of(self, path):
        """The sources that have a file's code in them."""
        return [path] if path.endswith(".c") else \
            [name for name, needs in self.needs.items() if path in needs]

    def failing(self, place, mutant, tests):
        """The first of the tests that fails."""
        for test in tests:
            if not place.passes(test):
                self.kills[mutant.path, test.name] += 1
                return test.name
        return None

    def tests_for(self, path, slow):
        """The tests with a name like the file's are never slow."""
        return self.order([test for test in self.plain.tests
                           if (test.seconds > SLOW and own_of(path) not in test.name) == slow], path)

    def quick_killer(self, plain, _, mutant):
        """What notices the mutant of the compiler, the fast tests, and the code it comes to."""
        changed = self.users_of(mutant.path)
        if not plain.make(mutant, changed):
            return "the compiler"
        tests = self.tests_for(mutant.path, False)
        killer = self.failing(plain, mutant, tests[:PROMISING])
        if killer is None and not plain.changes_code(changed):
            return "no change in the code"
        return killer or self.failing(plain, mutant, tests[PROMISING:])

    def thorough_killer(self, plain, sanitized, mutant):
        """What notices it of the fast tests with sanitizers, and of the slow tests."""
        changed = self.users_of(mutant.path)
        if sanitized.make(mutant, changed):
            killer = self.failing(sanitized, mutant, self.order(self.sanitized.tests, mutant.path))
            if killer is not None:
                return "sanitizers in " + killer
        plain.make(mutant, changed)
        return self.failing(plain, mutant, self.tests_for(mutant.path, True))

    def killer(self, find, mutant):
        """What `find`, one of the two above, finds."""
        plain, sanitized = self.places.get()
        try:
            return find(plain, sanitized, mutant)
        finally:
            plain.clear(mutant)
            sanitized.clear(mutant)
            self.places.put((plain, sanitized))


class Equivalents:
    """tests/mutate/equivalent: changes that no test can notice, each with a reason.

    The file says how its lines are read.
    """

    def __init__(self):
        self.rows = []
        if not os.path.exists(EQUIVALENT):
            return
        with open(EQUIVALENT, encoding="utf-8") as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    self.rows.append([part.strip() for part in line.split(" | ", 3)])

    @staticmethod
    def fits(row, mutant):
        path, part, what, _ = row
        if path != mutant.path or what not in ("*", mutant.what, mutant.what.split(" #")[0]):
            return False
        before, line = (lines_of(path)[mutant.line - i].strip() for i in (2, 1))
        if " \\n " in part:
            return part == before + " \\n " + line
        return part == "*" or line.startswith(part[1:]) if part[0] in "^*" else part in line

    def reason(self, mutant):
        return next((row[3] for row in self.rows if self.fits(row, mutant)), None)

    def idle(self, found):
        """The rows that fit none of all mutants."""
        return [row for row in self.rows if not any(self.fits(row, mutant) for mutant in found)]


@functools.lru_cache(maxsize=None)
def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def all_mutants():
    """In the order of files and places."""
    return [mutant for path in sources("src", ".c") + sources("src", ".h")
            for mutant in mutants.mutants_of(path, read(path))]


def pick(found, arguments):
    """The mutants to try; a sample is in random order, so that any beginning of it is one, too."""
    if arguments.files:
        found = [mutant for mutant in found if mutant.path in arguments.files.split(",")]
    if arguments.again:
        with open(arguments.again, encoding="utf-8") as file:
            again = {line.strip() for line in file}
        found = [mutant for mutant in found if describe(mutant) in again]
    if arguments.sample:
        found = random.Random(arguments.seed).sample(found, min(arguments.sample, len(found)))
    return found


@functools.lru_cache(maxsize=None)
def lines_of(path):
    return read(path).splitlines()


def line_of(mutant):
    return lines_of(mutant.path)[mutant.line - 1].strip()


def describe(mutant):
    return "%s:%d | %s | %s" % (mutant.path, mutant.line, mutant.what, line_of(mutant))


class Account:
    """What became of the mutants that were tried."""

    def __init__(self):
        self.begin = time.time()
        self.tried = 0
        self.survivors = []
        self.deaths = collections.Counter()

    def seconds(self):
        return time.time() - self.begin

    def say(self):
        """Prints it, and gives the share of those killed that could be, in percent."""
        for mutant in sorted(self.survivors):
            print("survived: %s" % describe(mutant))
        void = {name: self.deaths.pop(name, 0)
                for name in ("the compiler", "no change in the code", "a reason")}
        killed = sum(self.deaths.values())
        sanitized = sum(count for name, count in self.deaths.items() if name.startswith("sanit"))
        made = killed + len(self.survivors)
        rate = 100.0 * killed / max(1, made)
        print("mutate: %d changes tried in %.0f s: %d do not compile, %d leave the code as it was, "
              "%d are explained" % (self.tried, self.seconds(), void["the compiler"],
                                    void["no change in the code"], void["a reason"]))
        print("mutate: of the %d others %d are killed (%d by sanitizers alone), %d survive: %.1f %% "
              "killed" % (made, killed, sanitized, len(self.survivors), rate))
        return rate


def sift(chosen, killer_of, account, arguments, what):
    """The mutants that `killer_of` finds no killer for, side by side; says how far it is."""
    left = []
    lock = threading.Lock()
    tried = 0

    def attempt(mutant):
        nonlocal tried
        if arguments.minutes and account.seconds() > 60 * arguments.minutes and what == FIRST:
            return
        killer = killer_of(mutant)
        with lock:
            tried += 1
            if killer is not None:
                account.deaths[killer] += 1
            else:
                left.append(mutant)
                print("  survives %s: %s" % (what, describe(mutant)), flush=True)
            if tried % 25 == 0:
                print("mutate: %d of %d tried, %d survive %s, %.0f s" % (
                    tried, len(chosen), len(left), what, account.seconds()), flush=True)

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        list(pool.map(attempt, chosen))
    account.tried = account.tried or tried
    return left


def try_all(chosen, equivalents, scratch, arguments):
    wanted = sorted(arguments.tests.split(",")) if arguments.tests else []
    trial = Trial(scratch, wanted, arguments.jobs)
    account = Account()
    left = sift(chosen, lambda mutant: "a reason" if equivalents.reason(mutant) else
                trial.killer(trial.quick_killer, mutant), account, arguments, FIRST)
    account.survivors = sift(left, lambda mutant: trial.killer(trial.thorough_killer, mutant),
                             account, arguments, "all tests")
    return account


def options():
    parser = argparse.ArgumentParser(prog="mutate.sh")
    parser.add_argument("--files")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--below", type=float, default=95.0)
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--kept")
    parser.add_argument("--again")
    parser.add_argument("--tests")
    parser.add_argument("--list", action="store_true")
    return parser.parse_args()


def main():
    arguments = options()
    found = all_mutants()
    chosen = pick(found, arguments)
    if arguments.list:
        print("\n".join(describe(mutant) for mutant in chosen))
        return 0
    equivalents = Equivalents()
    idle = equivalents.idle(found)
    for row in idle:
        print("FAILED: tests/mutate/equivalent: no change is like this: %s" % " | ".join(row))
    with tempfile.TemporaryDirectory() as scratch:
        account = try_all(chosen, equivalents, os.environ.get("BUILD", scratch), arguments)
    rate = account.say()
    if arguments.kept:
        with open(arguments.kept, "w", encoding="utf-8") as file:
            file.write("".join(describe(mutant) + "\n" for mutant in sorted(account.survivors)))
    if rate < arguments.below:
        print("FAILED: fewer than %.0f %% of the mutants are killed" % arguments.below)
    if rate < arguments.below or idle:
        return 1
    print("passed: mutants")
    return 0


if __name__ == "__main__":
    sys.exit(main())
