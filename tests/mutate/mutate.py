#!/usr/bin/env python3
"""usage: mutate.py ROOT ROOM [COUNT [SEED]]: how many small errors in a room its tests would notice.

One step at a time (sites.py) is made in src/ROOM/*.c of a copy of the tree, build/mutate/tree. What
depends on it is built as preset dev, then the tests run one by one, those of the room first, then those
of the rooms above it by tests/layers.txt and those of other rooms that use it, until one fails: the
mutant is killed. A test that outlives its time or its memory fails. A test of another room counts only
when it passes without the step; those that take long are left out, and together they get
SF_MUTATE_ABOVE seconds a mutant (120 by default). What the compiler refuses is not counted; what no
test can tell from the program stands in equivalent.txt with its reason. SF_JOBS says how many jobs
build at a time.

The same seed chooses the same mutants. Results are kept in build/mutate/ROOM.done and hold as long as
no file of the tree changes, so a run that was stopped goes on where it was. The user's tree is only read.
"""

import collections
import ctypes
import hashlib
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True  # the user's tree is only read
import sites

LONGEST = 300  # seconds that any test may take
LONGEST_ABOVE = 30  # seconds that a test of another room may take
MOST_MEMORY = 3 << 30  # bytes of a test and all it starts; sanitizers need address space, so no rlimit
MOST_FILE = 4 << 30
PR_SET_CHILD_SUBREAPER = 36


def say(text):
    print(f"== {text}", file=sys.stderr, flush=True)


def die(text):
    sys.exit(f"mutate: {text}")


class Tree:
    """The copy that is changed, built and tested."""

    def __init__(self, root, work):
        self.root, self.dir, self.build = root, work / "tree", work / "tree/build/dev"
        self.log = work / "build.log"

    def refresh(self):
        """Makes the copy what the user's tree is now; returns a digest of all that was copied."""
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                                cwd=self.root, check=True, capture_output=True).stdout
        names = sorted(n for n in os.fsdecode(listed).split("\0") if n and
                       (os.path.islink(self.root / n) or os.path.isfile(self.root / n)))
        digest = hashlib.sha256()
        for name in names:
            digest.update(name.encode() + b"\0" + self.copy(name) + b"\0")
        self.forget(set(names))
        return digest.hexdigest()

    def copy(self, name):
        source, target = self.root / name, self.dir / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_symlink():
            target.unlink(missing_ok=True)
            target.symlink_to(os.readlink(source))
            return os.fsencode(os.readlink(source))
        data = source.read_bytes()
        if not target.is_file() or target.read_bytes() != data:
            target.write_bytes(data)
        shutil.copymode(source, target)
        return data

    def forget(self, names):
        """Removes from the copy what is gone from the user's tree."""
        for folder, folders, files in os.walk(self.dir):
            if Path(folder) == self.dir and "build" in folders:
                folders.remove("build")
            for file in files:
                path = Path(folder) / file
                if str(path.relative_to(self.dir)) not in names:
                    path.unlink()

    def configure(self):
        # a mutant that mixes && and || without parentheses shall run, not be refused
        done = subprocess.run(["cmake", "--preset", "dev", "-DCMAKE_C_FLAGS=-Wno-error=parentheses"],
                              cwd=self.dir, capture_output=True, text=True)
        if done.returncode:
            die(f"cannot configure the copy:\n{done.stdout}{done.stderr}")

    def make(self, targets):
        """Builds; false when the compiler refuses."""
        jobs = os.environ.get("SF_JOBS") or str(os.cpu_count())
        # the user's commit is no part of the copy, or a commit would build the world again
        alone = dict(os.environ, GIT_CEILING_DIRECTORIES=str(self.dir.parent))
        with open(self.log, "wb") as log:
            return subprocess.run(["cmake", "--build", self.build, "-j", jobs, "--target", *targets],
                                  stdout=log, stderr=log, env=alone).returncode == 0

    def plant(self, mutant):
        path = self.dir / mutant.file
        code = path.read_text()
        path.write_text(code[:mutant.start] + mutant.text + code[mutant.end:])


class Test:
    """tests/ROOM/test_NOUN.c, whose program is test_ROOM_NOUN (tests/CMakeLists.txt)."""

    def __init__(self, tree, source):
        self.room, noun = source.parent.name, source.stem[len("test_"):]
        self.name, self.target = f"{self.room}/{noun}", f"test_{self.room}_{noun}"
        self.dir, self.program = tree.dir / "tests", tree.build / "tests" / self.target
        self.limit = LONGEST_ABOVE
        self.built_of = None  # the C files that its program is linked from
        self.runs_sf = False

    def look_at_program(self, sf):
        """Learns from the program which files a change must be in to reach this test."""
        listed = subprocess.run(["readelf", "-sW", self.program], capture_output=True, text=True)
        self.built_of = set(re.findall(r" FILE +LOCAL .* (\S+\.c)$", listed.stdout, re.M))
        self.runs_sf = os.fsencode(sf) in self.program.read_bytes()

    def is_reached_by(self, mutant):
        return self.built_of is None or self.runs_sf or os.path.basename(mutant.file) in self.built_of


def descendants():
    """All processes below this one, with the bytes each has in memory."""
    parents = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            fields = Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        parents[int(entry)] = (int(fields[1]), int(fields[21]) * resource.getpagesize())
    below, found = {os.getpid()}, {}
    while True:
        more = {p: m for p, (parent, m) in parents.items() if parent in below and p not in below}
        if not more:
            return found
        below.update(more)
        found.update(more)


def end_descendants():
    """Ends what a test left running; as a subreaper this process inherits all of it."""
    while True:
        left = descendants()
        if not left:
            return
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for pid in left:
            try:
                os.waitpid(pid, 0)
            except ChildProcessError:
                pass


def limit_resources():
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # the hard limit stays, as tests set limits of their own
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_FILE, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


def run(test, limit):
    """Runs a test; returns what became of it ("" when it passed) and the seconds it took."""
    begin, problem = time.monotonic(), ""
    child = subprocess.Popen([test.program], cwd=test.dir, stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             preexec_fn=limit_resources)
    while not problem:
        try:
            code = child.wait(0.2)
            problem = "" if code in (0, 77) else "failed"
            break
        except subprocess.TimeoutExpired:
            if time.monotonic() - begin > limit:
                problem = "ran out of time"
            elif sum(descendants().values()) > MOST_MEMORY:
                problem = "ran out of memory"
    end_descendants()
    return problem, time.monotonic() - begin


def rooms_above(layers, room):
    """The rooms that stand on the given one, directly or not, from the ground up."""
    above = []
    for line in layers.read_text().splitlines():
        name, *below = line.split("#")[0].split() or [""]
        if name and (room in below or set(above) & set(below)):
            above.append(name)
    return above


def read_equivalent(path):
    """The list of mutants that behave as the program does: blocks of place, before, after, reason."""
    known = {}
    text = path.read_text() if path.exists() else ""
    for block in re.split(r"\n\s*\n", re.sub(r"^#.*\n", "", text, flags=re.M).strip()):
        lines = [line.strip() for line in block.splitlines()]
        if len(lines) >= 4 and lines[1].startswith("- ") and lines[2].startswith("+ "):
            known[(lines[0], lines[1][2:], lines[2][2:])] = " ".join(lines[3:])
        elif block:
            die(f"{path}: no place, before, after and reason in:\n{block}")
    return known


def places_of(root, room):
    files = sorted((root / "src" / room).glob("*.c"))
    return [place for path in files
            for place in sites.mutants_of(str(path.relative_to(root)), path.read_text())]


def choose(places, room, seed):
    """All places in an order that the seed decides, with one step for each."""
    chance = random.Random(f"{room}/{seed}")
    places = list(places)
    chance.shuffle(places)
    return [chance.choice(place) for place in places]


class Done:
    """What is known of mutants tried before: valid for the same tree, a hint for any other."""

    def __init__(self, path, digest):
        self.path, self.digest, self.known = path, digest, {}
        self.passes = {}  # tests that pass as the tree is, with the seconds they take
        self.killers = collections.defaultdict(collections.Counter)
        rows = path.read_text().splitlines() if path.exists() else []
        for row in rows:
            tree, file, mutant, result, killer = row.split("\t")
            if result == "passes":
                if tree == digest:
                    self.passes[file] = float(mutant)
                continue
            if killer:
                self.killers[mutant.split("@")[0]][killer] += 100
                self.killers[file][killer] += 1
            if tree == digest:
                self.known[mutant] = (result, killer)

    @staticmethod
    def id_of(mutant):
        return hashlib.sha256(repr((mutant.key(), mutant.text)).encode()).hexdigest()[:16] + \
            f"@{mutant.start}"

    def result(self, mutant):
        return self.known.get(self.id_of(mutant))

    def write(self, *words):
        with open(self.path, "a") as out:
            out.write("\t".join([self.digest, *words]) + "\n")

    def add(self, mutant, result, killer):
        self.killers[mutant.file][killer] += bool(killer)
        self.write(mutant.file, self.id_of(mutant), result, killer)

    def add_pass(self, test, seconds):
        self.write(test.name, f"{seconds:.1f}", "passes", "")

    def rank(self, mutant, test):
        """The most likely killer first: of this mutant before, of its file, then by name and time."""
        room, noun = re.fullmatch(r"src/(.*)/(.*)\.c", mutant.file).groups()
        of_mutant = self.killers.get(self.id_of(mutant).split("@")[0], {})
        return (-of_mutant.get(test.name, 0) - self.killers[mutant.file].get(test.name, 0),
                noun not in test.name, room not in test.name, test.limit)


class Trial:
    """Tries one mutant after the other against the tests."""

    def __init__(self, tree, done, own, above):
        self.tree, self.done, self.own, self.above = tree, done, own, above
        self.sf = str(tree.build / "sf")
        self.seconds_above = int(os.environ.get("SF_MUTATE_ABOVE") or 120)
        self.has_sf = (tree.dir / "src/app/main.c").exists()

    def make(self, test):
        return self.tree.make([test.target] + (["sf"] if test.runs_sf else []))

    def prepare(self):
        """Builds the room's tests and runs them as they are: they must pass, and say how long they take."""
        say("building the tests of the room in build/mutate/tree")
        targets = [t.target for t in self.own] + (["sf"] if self.has_sf else [])
        if not self.tree.make(targets):
            die(f"the tree does not build: see {self.tree.log}")
        for test in list(self.own):
            test.look_at_program(self.sf)
            seconds = self.done.passes.get(test.name)
            if seconds is None:
                problem, seconds = run(test, LONGEST)
                if problem:
                    say(f"{test.name} {problem} without any change and is left out")
                    self.own.remove(test)
                    continue
                self.done.add_pass(test, seconds)
            test.limit = min(LONGEST, 20 + 10 * seconds)
        if not self.own:
            die("no test of the room passes")

    def attempt(self, mutant):
        self.tree.plant(mutant)
        try:
            if not self.make(self.own[0]):
                return "refused", ""
            for test in sorted(self.own, key=lambda t: self.done.rank(mutant, t)):
                if self.fails(test, mutant):
                    return "killed", test.name
            return self.attempt_above(mutant)
        finally:
            self.tree.copy(mutant.file)

    def attempt_above(self, mutant):
        """The tests of the rooms above, as many as there is time for."""
        begin = time.monotonic()
        for test in sorted(self.above, key=lambda t: self.done.rank(mutant, t)):
            if time.monotonic() - begin > self.seconds_above:
                break
            if self.fails(test, mutant) and self.passes_unchanged(test, mutant):
                return "killed", test.name
        return "survived", ""

    def fails(self, test, mutant):
        if not test.is_reached_by(mutant):
            return False
        if not self.make(test):
            return True
        if test.built_of is None:
            test.look_at_program(self.sf)
            if not test.is_reached_by(mutant) or (test.runs_sf and not self.make(test)):
                return False
        return bool(run(test, test.limit)[0])

    def passes_unchanged(self, test, mutant):
        """Whether the failure of a test above is the mutant's; a test that fails by itself is dropped."""
        self.tree.copy(mutant.file)
        passed = self.make(test) and not run(test, test.limit)[0]
        if not passed:
            say(f"{test.name} fails or takes over {test.limit} s without any change and is left out")
            self.above.remove(test)
        self.tree.plant(mutant)
        return passed


def tests_of(tree, rooms):
    return [Test(tree, source) for room in rooms
            for source in sorted((tree.dir / "tests" / room).glob("test_*.c"))]


def tests_that_use(tree, rooms, known):
    """Tests of other rooms that reach for one of these: by a header, or by one of what tests share."""
    named = re.compile(rf'^#include "(?:{"|".join(rooms)})/', re.M)
    shared = [header.name for header in (tree.dir / "tests/support").glob("*.h")
              if named.search(header.read_text())]
    if shared:
        named = re.compile(rf'{named.pattern}|^#include "support/(?:{"|".join(shared)})"', re.M)
    return [Test(tree, source) for source in sorted((tree.dir / "tests").glob("*/test_*.c"))
            if source.parent.name not in known and named.search(source.read_text())]


def tell(mutant, what):
    print(f"{mutant.file}:{mutant.line}: {mutant.before} -> {mutant.after}: {what}", flush=True)


def summary(counts):
    tried = counts["killed"] + counts["survived"]
    share = f"{100 * counts['killed'] / tried:.0f} %" if tried else "nothing to count"
    print(f"killed {counts['killed']}, survived {counts['survived']}, "
          f"equivalent {counts['equivalent']}, refused by the compiler {counts['refused']}: {share}")


def check_equivalent(root):
    """Names the rows of the list that fit no mutant any more; returns whether there are none."""
    rows = read_equivalent(root / "tests/mutate/equivalent.txt")
    rooms = {row[0].split("/")[1] for row in rows}
    there = {m.key() for room in rooms for place in places_of(root, room) for m in place}
    for row in sorted(set(rows) - there):
        print("equivalent.txt names a mutant that does not exist:", *row, sep="\n    ")
    return set(rows) <= there


def main():
    if sys.argv[1:2] == ["--check"] and len(sys.argv) == 3:
        sys.exit(0 if check_equivalent(Path(sys.argv[2]).resolve()) else 1)
    if not 3 <= len(sys.argv) <= 5 or not all(a.isdigit() for a in sys.argv[3:]):
        die("usage: mutate.py ROOT ROOM [COUNT [SEED]]")
    root, room = Path(sys.argv[1]).resolve(), sys.argv[2]
    count, seed = (list(map(int, sys.argv[3:])) + [20, 1][len(sys.argv) - 3:])[:2]
    places = places_of(root, room)
    if not places:
        die(f"there is no room called {room}")

    work = root / "build/mutate"
    work.mkdir(parents=True, exist_ok=True)
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    tree = Tree(root, work)
    done = Done(work / f"{room}.done", tree.refresh())
    tree.configure()
    above = rooms_above(root / "tests/layers.txt", room)
    others = tests_that_use(tree, [room, *above], {room, *above})
    trial = Trial(tree, done, tests_of(tree, [room]), tests_of(tree, above) + others)
    equivalent = read_equivalent(root / "tests/mutate/equivalent.txt")
    say(f"{room}: {len(places)} places, {len(trial.own)} tests of its own, {len(trial.above)} above it "
        "or with its help")

    counts, ready = collections.Counter(), False
    for mutant in choose(places, room, seed):
        if counts["killed"] + counts["survived"] >= count:
            break
        if mutant.key() in equivalent:
            result, killer = "equivalent", ""
        else:
            if not done.result(mutant) and not ready:
                trial.prepare()
                ready = True
            result, killer = done.result(mutant) or trial.attempt(mutant)
            if not done.result(mutant):
                done.add(mutant, result, killer)
        counts[result] += 1
        tell(mutant, f"killed by {killer}" if killer else
             f"equivalent: {equivalent[mutant.key()]}" if result == "equivalent" else
             "refused by the compiler" if result == "refused" else result)
    summary(counts)
    sys.exit(0)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        end_descendants()
