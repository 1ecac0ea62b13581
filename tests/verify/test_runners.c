/*
 * What the summaries of test runners say that are not in corpus/test-output, and variants of those
 * that are: options, reruns, crashes, nothing to run. The texts are the runners' own, cut short.
 */
#include <string.h>

#include "base/base.h"
#include "support/test.h"
#include "verify/verify.h"

enum { NO = -1 }; /* not told */

static const struct {
    const char *name, *output;
    int code;
    enum sf_verdict_of_tests verdict;
    int passed, failed, skipped;
} cases[] = {
    /* ---- ctest, automake, meson, make ---- */
    { "ctest, a program that is not there",
      "Test project /b\n1/2 Test #1: a ................   Passed    0.00 sec\n"
      "Could not find executable b\n2/2 Test #2: b ................***Not Run   0.00 sec\n\n"
      "50% tests passed, 1 tests failed out of 2\n\nThe following tests FAILED:\n\t  2 - b (Not Run)\n",
      8, SF_TESTS_FAIL, 1, 1, 0 },
    { "ctest, a crash of a test",
      "Test project /b\n1/1 Test  #1: a ................***Exception: SegFault  0.10 sec\n\n"
      "0% tests passed, 1 tests failed out of 1\n\nThe following tests FAILED:\n"
      "\t  1 - a (SEGFAULT)\nErrors while running CTest\n",
      8, SF_TESTS_FAIL, 0, 1, 0 },
    { "ctest, all disabled",
      "Test project /b\n1/1 Test #1: a ................***Not Run (Disabled)   0.00 sec\n\n"
      "100% tests passed, 0 tests failed out of 0\n\nThe following tests did not run:\n"
      "\t  1 - a (Disabled)\n",
      0, SF_TESTS_NONE, 0, 0, 1 },
    { "ctest, quiet, with one that was skipped",
      "100% tests passed, 0 tests failed out of 2\n\nThe following tests did not run:\n"
      "\t  2 - b (Skipped)\n",
      0, SF_TESTS_PASS, 1, 0, 1 },
    { "ctest and the tests that it runs",
      "Test project /b\n1: [==========] Running 2 test(s).\n[==========] Running 2 test(s).\n"
      "[  PASSED  ] 1 test(s).\n[  FAILED  ] 1 test(s), listed below:\n"
      "1/1 Test #1: a ................   Passed    0.00 sec\n\n"
      "100% tests passed, 0 tests failed out of 1\n",
      0, SF_TESTS_PASS, 1, 0, 0 },
    { "ctest that was stopped",
      "Test project /b\n    Start 1: a\n1/2 Test #1: a ................   Passed    0.00 sec\n",
      130, SF_TESTS_BROKEN, 1, 0, 0 },
    { "automake, two directories",
      "Testsuite summary for x 1\n# TOTAL: 2\n# PASS:  2\n# SKIP:  0\n# XFAIL: 0\n# FAIL:  0\n"
      "# XPASS: 0\n# ERROR: 0\nTestsuite summary for x 1\n# TOTAL: 3\n# PASS:  2\n# SKIP:  1\n"
      "# XFAIL: 0\n# FAIL:  0\n# XPASS: 0\n# ERROR: 0\n",
      0, SF_TESTS_PASS, 4, 0, 1 },
    { "automake, a test program that does not compile",
      "make  t\nt.c:3:5: error: expected ';' before '}' token\n"
      "make[2]: *** [Makefile:400: t.o] Error 1\nmake: *** [Makefile:700: check-am] Error 2\n",
      2, SF_TESTS_BROKEN, NO, NO, NO },
    { "meson, a broken build",
      "ninja: Entering directory `/b'\nFAILED: a.p/a.c.o\na.c:1:1: error: unknown type\n"
      "ninja: build stopped: subcommand failed.\nCould not rebuild /b\n",
      1, SF_TESTS_BROKEN, NO, NO, NO },
    { "meson, all skipped",
      "1/1 a SKIP 0.01s exit status 77\n\nOk:                 0   \nExpected Fail:      0   \n"
      "Fail:               0   \nUnexpected Pass:    0   \nSkipped:            1   \n"
      "Timeout:            0   \n",
      0, SF_TESTS_NONE, 0, 0, 1 },
    { "meson, an unexpected pass",
      "Ok:                 1   \nExpected Fail:      0   \nFail:               0   \n"
      "Unexpected Pass:    1   \nSkipped:            0   \nTimeout:            0   \n",
      1, SF_TESTS_FAIL, 1, 1, 0 },
    { "make, a test that crashes", "./t\nmake: *** [Makefile:2: test] Segmentation fault\n", 2,
      SF_TESTS_BROKEN, NO, NO, NO },
    { "make, nothing to do", "make: Nothing to be done for 'test'.\n", 0, SF_TESTS_NONE, 0, 0, 0 },
    { "ninja test, through ctest",
      "[0/1] Running tests...\nTest project /b\n100% tests passed, 0 tests failed out of 4\n", 0,
      SF_TESTS_PASS, 4, 0, 0 },
    /* ---- Python ---- */
    { "pytest -x",
      "============ test session starts ============\ncollected 3 items\n\na.py F\n"
      "!!!!!!!!! stopping after 1 failures !!!!!!!!!\n======= 1 failed in 0.02s =======\n",
      1, SF_TESTS_FAIL, 0, 1, 0 },
    { "pytest -k that meets none",
      "collected 4 items / 4 deselected / 0 selected\n\n"
      "============ 4 deselected in 0.01s ============\n",
      5, SF_TESTS_NONE, 0, 0, 0 },
    { "pytest with workers",
      "======= test session starts =======\ngw0 [4] / gw1 [4]\n....\n"
      "======= 4 passed, 2 warnings in 65.20s (0:01:05) =======\n",
      0, SF_TESTS_PASS, 4, 0, 0 },
    { "pytest that skips all", "==== test session starts ====\ns\n==== 1 skipped in 0.01s ====\n",
      0, SF_TESTS_NONE, 0, 0, 1 },
    { "pytest that only expects failures", "1 xfailed in 0.01s\n", 0, SF_TESTS_NONE, 0, 0, 1 },
    { "pytest, a conftest that cannot be loaded",
      "ImportError while loading conftest '/p/conftest.py'.\nE   ModuleNotFoundError: x\n", 4,
      SF_TESTS_BROKEN, NO, NO, NO },
    { "pytest, an internal error", "===== test session starts =====\nINTERNALERROR> Traceback\n", 3,
      SF_TESTS_BROKEN, NO, NO, NO },
    { "pytest that was stopped",
      "===== test session starts =====\n!!!!!!!! KeyboardInterrupt !!!!!!!!\n"
      "===== 2 passed in 1.01s =====\n",
      2, SF_TESTS_BROKEN, 2, 0, 0 },
    { "pytest and a required coverage",
      "FAIL Required test coverage of 90% not reached.\n"
      "===== 2 passed in 1.01s =====\n",
      1, SF_TESTS_FAIL, 2, 0, 0 },
    { "pytest, two sessions",
      "==== test session starts ====\n==== 1 failed, 1 passed in 0.01s ====\n"
      "==== test session starts ====\n==== 3 passed in 0.01s ====\n",
      0, SF_TESTS_FAIL, 4, 1, 0 },
    { "pytest, and a test that prints a summary of failures",
      "==== test session starts ====\n==== 3 failed in 0.01s ====\n.\n==== 1 passed in 0.01s ====\n",
      0, SF_TESTS_PASS, 1, 0, 0 },
    { "tox",
      "py311: commands[0]> pytest\n===== 3 passed in 0.10s =====\n  py311: OK (2.5 seconds)\n"
      "  congratulations :) (2.6 seconds)\n",
      0, SF_TESTS_PASS, 3, 0, 0 },
    { "unittest without tests", "\n-----\nRan 0 tests in 0.000s\n\nOK\n", 0, SF_TESTS_NONE, 0, 0,
      0 },
    { "unittest, newer, without tests", "Ran 0 tests in 0.000s\n\nNO TESTS RAN\n", 5, SF_TESTS_NONE,
      0, 0, 0 },
    { "unittest, a file that cannot be imported",
      "E\n=====\nERROR: test_a (unittest.loader._FailedTest.test_a)\n-----\nImportError: Failed to "
      "import test module: test_a\n\nRan 1 test in 0.000s\n\nFAILED (errors=1)\n",
      1, SF_TESTS_BROKEN, 0, 1, 0 },
    { "unittest that skips all", "Ran 2 tests in 0.000s\n\nOK (skipped=2)\n", 0, SF_TESTS_NONE, 0,
      0, 2 },
    { "unittest, cut off behind the number", "Ran 2 tests in 0.000s\n", 0, SF_TESTS_BROKEN, NO, NO,
      NO },
    { "nose2", "..F\n-----\nRan 3 tests in 0.001s\n\nFAILED (failures=1)\n", 1, SF_TESTS_FAIL, 2, 1,
      0 },
    { "trial", "Ran 3 tests in 0.010s\n\nPASSED (skips=1, successes=2)\n", 0, SF_TESTS_BROKEN, NO,
      NO, NO },
    { "behave",
      "1 feature passed, 0 failed, 0 skipped\n2 scenarios passed, 1 failed, 0 skipped\n"
      "5 steps passed, 1 failed, 0 skipped, 0 undefined\n",
      1, SF_TESTS_FAIL, 2, 1, 0 },
    { "robot",
      "Suite A | PASS |\n2 tests, 1 passed, 1 failed\n====\n"
      "Suite All | FAIL |\n2 tests, 1 passed, 1 failed\n",
      1, SF_TESTS_FAIL, 1, 1, 0 },
    /* ---- JavaScript ---- */
    { "node --test, a file that crashes",
      "✖ /p/a.test.mjs (60.1ms)\n  'test failed'\n\nℹ tests 1\nℹ suites 0\nℹ pass 0\nℹ fail 1\n"
      "ℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 66\n",
      1, SF_TESTS_BROKEN, 0, 1, 0 },
    { "node --test, two files, one without a test",
      "✔ one (1.1ms)\n✔ /p/b.test.mjs (30.2ms)\nℹ tests 2\nℹ suites 0\nℹ pass 2\nℹ fail 0\n"
      "ℹ cancelled 0\nℹ skipped 0\nℹ todo 0\n",
      0, SF_TESTS_PASS, 1, 0, 0 },
    { "node --test, a suite named like a file",
      "▶ src/a.js\n  ✔ one (0.1ms)\n✔ src/a.js (1.1ms)\nℹ tests 1\nℹ suites 1\nℹ pass 1\nℹ fail 0\n"
      "ℹ cancelled 0\nℹ skipped 0\nℹ todo 0\n",
      0, SF_TESTS_PASS, 1, 0, 0 },
    { "node --test, cancelled",
      "ℹ tests 2\nℹ pass 1\nℹ fail 0\nℹ cancelled 1\nℹ skipped 0\nℹ todo 0\n", 1, SF_TESTS_FAIL, 1,
      1, 0 },
    { "node --test, TAP without a test",
      "TAP version 13\n# Subtest: /p/a.mjs\nok 1 - /p/a.mjs\n  ---\n  ...\n1..1\n# tests 1\n"
      "# suites 0\n# pass 1\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n",
      0, SF_TESTS_NONE, 0, 0, 0 },
    { "node --test, TAP without a test, cut off before the summary",
      "TAP version 13\nok 1 - /p/a.mjs\n1..1\n", 0, SF_TESTS_NONE, 0, 0, 1 },
    { "tape", "TAP version 13\n# a\nok 1 x\nok 2 y\n\n1..2\n# tests 2\n# pass  2\n\n# ok\n", 0,
      SF_TESTS_PASS, 2, 0, 0 },
    { "tape that fails",
      "TAP version 13\nok 1 x\nnot ok 2 y\n\n1..2\n# tests 2\n# pass  1\n# fail  1\n", 1,
      SF_TESTS_FAIL, 1, 1, 0 },
    { "vitest, a file without a suite",
      " RUN  v4.1.12 /p\n\n⎯⎯⎯ Failed Suites 1 ⎯⎯⎯\n\n FAIL  a.test.js [ a.test.js ]\n"
      "Error: No test suite found in file /p/a.test.js\n\n Test Files  1 failed (1)\n"
      "      Tests  no tests\n",
      1, SF_TESTS_NONE, 0, 0, 0 },
    { "vitest, one suite crashes and one passes",
      " RUN  v1.6.0 /p\n\n⎯⎯⎯ Failed Suites 1 ⎯⎯⎯\n\n Test Files  1 failed | 1 passed (2)\n"
      "      Tests  2 passed (2)\n",
      1, SF_TESTS_BROKEN, 2, 0, 0 },
    { "vitest that passes with no tests",
      " RUN  v4.1.12 /p\n\nNo test files found, exiting with code 0\n", 0, SF_TESTS_NONE, 0, 0, 0 },
    { "jest, a suite that cannot start",
      "FAIL a.test.js\n  ● Test suite failed to run\n\n    SyntaxError: x\n\n"
      "Test Suites: 1 failed, 1 total\nTests:       0 total\nSnapshots:   0 total\n",
      1, SF_TESTS_BROKEN, 0, 0, 0 },
    { "jest, one of two suites cannot start",
      "FAIL a.test.js\n  ● Test suite failed to run\n\nPASS b.test.js\n\n"
      "Test Suites: 1 failed, 1 passed, 2 total\nTests:       3 passed, 3 total\n",
      1, SF_TESTS_BROKEN, 3, 0, 0 },
    { "jest and a coverage that is not met",
      "Test Suites: 1 passed, 1 total\nTests:       3 passed, 3 total\n"
      "Jest: \"global\" coverage threshold for lines (90%) not met: 50%\n",
      1, SF_TESTS_FAIL, 3, 0, 0 },
    { "mocha without tests", "\n\n  0 passing (1ms)\n\n", 0, SF_TESTS_NONE, 0, 0, 0 },
    { "mocha, and a code that counts failures", "\n  10 passing (2s)\n  140 failing\n\n  1) a\n",
      140, SF_TESTS_FAIL, 10, 140, 0 },
    { "mocha with pending tests only", "\n  0 passing (1ms)\n  2 pending\n", 0, SF_TESTS_NONE, 0, 0,
      2 },
    { "cypress",
      "  Running:  a.cy.js                    (1 of 2)\n\n  2 passing (1s)\n"
      "  Running:  b.cy.js                    (2 of 2)\n\n  1 passing (1s)\n  1 failing\n",
      1, SF_TESTS_FAIL, 3, 1, 0 },
    { "ava, no file", "\n  ✘ Couldn’t find any files to test\n\n", 1, SF_TESTS_NONE, 0, 0, 0 },
    { "ava that skips all", "\n  - [skip] a\n  ─\n\n  1 test skipped\n", 0, SF_TESTS_NONE, 0, 0,
      1 },
    { "jasmine", "3 specs, 1 failure, 1 pending spec\nFinished in 0.01 seconds\n", 3, SF_TESTS_FAIL,
      1, 1, 1 },
    { "jasmine without specs", "No specs found\nFinished in 0.001 seconds\n", 2, SF_TESTS_NONE, 0,
      0, 0 },
    { "karma",
      "Chrome 120 (Linux): Executed 1 of 3 SUCCESS (0 secs / 0.001 secs)\n"
      "Chrome 120 (Linux): Executed 3 of 3 (1 FAILED) (0.1 secs / 0.05 secs)\n",
      1, SF_TESTS_FAIL, 2, 1, 0 },
    { "playwright",
      "Running 4 tests using 2 workers\n\n  1 failed\n    a.spec.ts:3:1 › bad ───\n  1 skipped\n"
      "  2 passed (1.2s)\n",
      1, SF_TESTS_FAIL, 2, 1, 1 },
    { "playwright without tests", "Error: No tests found\n", 1, SF_TESTS_NONE, 0, 0, 0 },
    { "lab", "\n..x\n\n1 of 3 tests failed\nTest duration: 5 ms\n", 1, SF_TESTS_FAIL, 2, 1, 0 },
    { "deno", "running 3 tests from ./a.ts\nok | 2 passed (1 step) | 0 failed | 1 ignored (5ms)\n",
      0, SF_TESTS_PASS, 2, 0, 1 },
    { "deno that fails", "FAILED | 2 passed | 1 failed (2 steps) (5ms)\n\nerror: Test failed\n", 1,
      SF_TESTS_FAIL, 2, 1, 0 },
    { "deno without files", "error: No test modules found\n", 1, SF_TESTS_NONE, 0, 0, 0 },
    { "bun",
      "bun test v1.1.0\n\na.test.ts:\n(pass) x [0.1ms]\n\n 2 pass\n 1 skip\n 0 fail\n"
      " 3 expect() calls\nRan 3 tests across 1 files. [10.00ms]\n",
      0, SF_TESTS_PASS, 2, 0, 1 },
    { "npm without the script", "npm ERR! Missing script: \"test\"\n", 1, SF_TESTS_BROKEN, NO, NO,
      NO },
    { "npm's placeholder",
      "> test\n> echo \"Error: no test specified\" && exit 1\n\n"
      "Error: no test specified\n",
      1, SF_TESTS_FAIL, NO, NO, NO },
    /* ---- Rust, Go ---- */
    { "cargo, a test that kills its program",
      "running 2 tests\ntest a ... ok\nerror: test failed, to rerun pass `--lib`\n\nCaused by:\n"
      "  process didn't exit successfully: (signal: 6, SIGABRT: process abort signal)\n",
      101, SF_TESTS_BROKEN, 1, 0, 0 },
    { "cargo, a filter that meets none",
      "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; "
      "finished in 0.00s\n",
      0, SF_TESTS_NONE, 0, 0, 0 },
    { "cargo, a test that prints a result",
      "running 1 test\ntest result: ok. 99 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n"
      "test a ... FAILED\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered "
      "out; finished in 0.00s\n",
      101, SF_TESTS_FAIL, 0, 1, 0 },
    { "cargo nextest",
      "     Summary [   0.012s] 3 tests run: 2 passed (1 slow), 1 failed, 1 skipped\n", 100,
      SF_TESTS_FAIL, 2, 1, 1 },
    { "cargo nextest without tests",
      "     Summary [   0.000s] 0 tests run: 0 passed, 0 skipped\nerror: no tests to run\n", 4,
      SF_TESTS_NONE, 0, 0, 0 },
    { "go, a panic",
      "--- FAIL: TestBad (0.00s)\npanic: boom [recovered]\n\ngoroutine 6 [running]:\nFAIL\tex\t0.004s\n"
      "FAIL\n",
      1, SF_TESTS_BROKEN, NO, 1, NO },
    { "go, a test that leaves", "exit status 3\nFAIL\tex\t0.004s\nFAIL\n", 1, SF_TESTS_BROKEN, NO,
      0, NO },
    { "go, a pattern that meets none", "ok  \tex\t0.002s [no tests to run]\n", 0, SF_TESTS_NONE, 0,
      0, 0 },
    { "go and coverage", "ok  \tex\t0.002s\tcoverage: 80.0% of statements\n", 0, SF_TESTS_PASS, NO,
      0, NO },
    { "go -v that skips all", "=== RUN   TestA\n--- SKIP: TestA (0.00s)\nPASS\nok  \tex\t0.003s\n",
      0, SF_TESTS_NONE, 0, 0, 1 },
    { "go -v, a test that ends no line",
      "=== RUN   TestA\nhello--- PASS: TestA (0.00s)\nPASS\n"
      "ok  \tex\t0.003s\n",
      0, SF_TESTS_PASS, 1, 0, 0 },
    { "go without a module", "go: go.mod file not found in current directory\n", 1, SF_TESTS_BROKEN,
      NO, NO, NO },
    { "go -json that is not built",
      "{\"Action\":\"output\",\"Package\":\"ex\",\"Output\":\"FAIL\\tex [build failed]\\n\"}\n"
      "{\"Action\":\"fail\",\"Package\":\"ex\",\"Elapsed\":0}\n",
      2, SF_TESTS_BROKEN, 0, 0, 0 },
    { "go -json with a pattern that meets none",
      "{\"Action\":\"output\",\"Package\":\"ex\",\"Output\":\"testing: warning: no tests to run\\n\"}\n"
      "{\"Action\":\"pass\",\"Package\":\"ex\",\"Elapsed\":0}\n",
      0, SF_TESTS_NONE, 0, 0, 0 },
    { "gotestsum", "✓  ex (1ms)\n\nDONE 3 tests, 1 skipped, 1 failure in 0.002s\n", 1,
      SF_TESTS_FAIL, 1, 1, 1 },
    /* ---- PHP, Ruby, Perl, shell ---- */
    { "PHPUnit, a class without tests",
      "PHPUnit 9.6.7 by Sebastian Bergmann and contributors.\n\nW 1 / 1 (100%)\n\nThere was 1 warning:"
      "\n\n1) Warning\nNo tests found in class \"A\".\n\nWARNINGS!\nTests: 1, Assertions: 0, "
      "Warnings: 1.\n",
      0, SF_TESTS_NONE, 0, 0, 0 },
    { "PHPUnit, skipped",
      "PHPUnit 9.6.7 by Sebastian Bergmann and contributors.\n\nOK, but incomplete, skipped, or risky "
      "tests!\nTests: 3, Assertions: 2, Skipped: 1.\n",
      0, SF_TESTS_PASS, 2, 0, 1 },
    { "PHPUnit, nothing but risky tests",
      "OK, but incomplete, skipped, or risky tests!\nTests: 1, Assertions: 0, Risky: 1.\n", 0,
      SF_TESTS_NONE, 0, 0, 1 },
    { "PHPUnit, a fatal error on the way",
      "PHPUnit 9.6.7 by Sebastian Bergmann and contributors.\n\n.PHP Fatal error:  x\n", 255,
      SF_TESTS_BROKEN, NO, NO, NO },
    { "Pest", "  Tests:    1 failed, 1 skipped, 2 passed (4 assertions)\n  Duration: 0.10s\n", 1,
      SF_TESTS_FAIL, 2, 1, 1 },
    { "rspec, a file that cannot be loaded",
      "An error occurred while loading ./a_spec.rb.\n\nFinished in 0.00002 seconds\n"
      "0 examples, 0 failures, 1 error occurred outside of examples\n",
      1, SF_TESTS_BROKEN, 0, 0, 0 },
    { "minitest", "3 runs, 4 assertions, 1 failures, 0 errors, 1 skips\n", 1, SF_TESTS_FAIL, 1, 1,
      1 },
    { "minitest without tests", "0 runs, 0 assertions, 0 failures, 0 errors, 0 skips\n", 0,
      SF_TESTS_NONE, 0, 0, 0 },
    { "test-unit",
      "3 tests, 4 assertions, 1 failures, 0 errors, 1 pendings, 0 omissions, 0 notifications\n", 1,
      SF_TESTS_FAIL, 1, 1, 1 },
    { "cucumber", "3 scenarios (1 failed, 2 passed)\n9 steps (1 failed, 8 passed)\n0m0.004s\n", 1,
      SF_TESTS_FAIL, 2, 1, 0 },
    { "cucumber without scenarios", "0 scenarios\n0 steps\n", 0, SF_TESTS_NONE, 0, 0, 0 },
    { "bats for people", " ✓ one\n ✗ bad\n - later (skipped)\n\n3 tests, 1 failure, 1 skipped\n", 1,
      SF_TESTS_FAIL, 1, 1, 1 },
    { "bats, a file that is not there", "ERROR: Test file \"/p/x.bats\" does not exist\n", 1,
      SF_TESTS_BROKEN, NO, NO, NO },
    { "bats, a file that cannot be read", "1..1\nnot ok 1 bats-gather-tests\n# syntax error\n", 1,
      SF_TESTS_BROKEN, 0, 1, 0 },
    { "TAP that died", "1..3\nok 1 - a\nok 2 - b\n", 0, SF_TESTS_BROKEN, 2, 0, 0 },
    { "TAP with its plan at the end, twice", "ok 1\nok 2\n1..2\nok 1\n1..1\n", 0, SF_TESTS_PASS, 3,
      0, 0 },
    { "TAP, and the test number 10", "1..2\nok 1\nok 2 # skip\n1..1\nok 1\n", 0, SF_TESTS_PASS, 2,
      0, 1 },
    { "Perl that dies before it says a word", "x at t/a.t line 1.\n", 255, SF_TESTS_BROKEN, NO, NO,
      NO },
    { "TAP that gives up", "1..3\nok 1\nBail out!  no database\n", 1, SF_TESTS_BROKEN, 1, 0, 0 },
    { "TAP with a bad end", "1..1\nok 1\n# Looks like your test exited with 2 just after 1.\n", 2,
      SF_TESTS_BROKEN, 1, 0, 0 },
    { "prove, a bad plan",
      "t/a.t .. \nFailed 2/3 subtests \n\nTest Summary Report\n"
      "t/a.t (Wstat: 512 (exited 2) Tests: 1 Failed: 0)\n  Non-zero exit status: 2\n"
      "  Parse errors: Bad plan.  You planned 3 tests but ran 1.\n"
      "Files=1, Tests=1,  0 wallclock secs\nResult: FAIL\n",
      1, SF_TESTS_BROKEN, 1, 0, NO },
    { "prove -v",
      "t/a.t .. \n1..2\nok 1 - a\nnot ok 2 - b # TODO x\nok\nAll tests successful.\n"
      "Files=1, Tests=2,  0 wallclock secs\nResult: PASS\n",
      0, SF_TESTS_PASS, 2, 0, NO },
    { "busted", "●●○\n2 successes / 1 failure / 0 errors / 1 pending : 0.001 seconds\n", 1,
      SF_TESTS_FAIL, 2, 1, 1 },
    { "luaunit", "Ran 3 tests in 0.000 seconds, 2 successes, 1 failure\n", 1, SF_TESTS_FAIL, 2, 1,
      0 },
    /* ---- C and C++ ---- */
    { "cmocka that died",
      "[==========] Running 2 test(s).\n[ RUN      ] a\n[       OK ] a\n"
      "[ RUN      ] b\n",
      134, SF_TESTS_BROKEN, 1, 0, 0 },
    { "cmocka, two groups",
      "[==========] a: Running 1 test(s).\n[ RUN      ] x\n[       OK ] x\n[==========] a: 1 test(s) run."
      "\n[  PASSED  ] 1 test(s).\n[==========] b: Running 2 test(s).\n[==========] b: 2 test(s) run.\n"
      "[  PASSED  ] 2 test(s).\n",
      0, SF_TESTS_PASS, 3, 0, 0 },
    { "googletest, a filter that meets none",
      "Note: Google Test filter = x\n[==========] Running 0 tests from 0 test suites.\n"
      "[==========] 0 tests from 0 test suites ran. (0 ms total)\n[  PASSED  ] 0 tests.\n",
      0, SF_TESTS_NONE, 0, 0, 0 },
    { "googletest, disabled only",
      "[==========] Running 0 tests from 0 test suites.\n[==========] 0 tests from 0 test suites ran. "
      "(0 ms total)\n[  PASSED  ] 0 tests.\n\n  YOU HAVE 2 DISABLED TESTS\n\n",
      0, SF_TESTS_NONE, 0, 0, 2 },
    { "Catch2 2", "====\nAll tests passed (7 assertions in 3 test cases)\n\n", 0, SF_TESTS_PASS, 3,
      0, 0 },
    { "Catch2 3, skipped",
      "====\ntest cases: 3 | 1 passed | 1 failed | 1 skipped\n"
      "assertions: 2 | 1 passed | 1 failed\n",
      42, SF_TESTS_FAIL, 1, 1, 1 },
    { "Catch2 3, a name that meets none", "No test cases matched 'x'\n====\nNo tests ran\n", 2,
      SF_TESTS_NONE, 0, 0, 0 },
    { "doctest",
      "[doctest] doctest version is \"2.4.9\"\n"
      "[doctest] test cases: 2 | 1 passed | 1 failed | 0 skipped\n"
      "[doctest] assertions: 2 | 1 passed | 1 failed |\n[doctest] Status: FAILURE!\n",
      1, SF_TESTS_FAIL, 1, 1, 0 },
    { "Boost.Test", "Running 3 test cases...\n\n*** No errors detected\n", 0, SF_TESTS_PASS, 3, 0,
      0 },
    { "Boost.Test that fails",
      "Running 3 test cases...\na.cpp(3): error: in \"x\": check failed\n\n"
      "*** 1 failure is detected in the test module \"m\"\n",
      201, SF_TESTS_FAIL, NO, NO, NO },
    { "QtTest",
      "********* Start testing of A *********\nPASS   : A::initTestCase()\nPASS   : A::one()\n"
      "FAIL!  : A::two() x\nPASS   : A::cleanupTestCase()\n"
      "Totals: 3 passed, 1 failed, 0 skipped, 0 blacklisted, 5ms\n",
      1, SF_TESTS_FAIL, 1, 1, 0 },
    { "QtTest without tests",
      "********* Start testing of A *********\nPASS   : A::initTestCase()\n"
      "PASS   : A::cleanupTestCase()\nTotals: 2 passed, 0 failed, 0 skipped, 0 blacklisted, 5ms\n",
      0, SF_TESTS_NONE, 0, 0, 0 },
    { "Criterion", "[====] Synthesis: Tested: 3 | Passing: 2 | Failing: 1 | Crashing: 0 \n", 1,
      SF_TESTS_FAIL, 2, 1, 0 },
    { "Check", "66%: Checks: 3, Failures: 1, Errors: 0\n", 1, SF_TESTS_FAIL, 2, 1, 0 },
    { "Unity", "-----\n3 Tests 1 Failures 1 Ignored \nFAIL\n", 1, SF_TESTS_FAIL, 1, 1, 1 },
    { "CppUTest", "OK (3 tests, 2 ran, 5 checks, 1 ignored, 0 filtered out, 1 ms)\n", 0,
      SF_TESTS_PASS, 2, 0, 1 },
    { "lit", "Total Discovered Tests: 6\n  Passed: 5 (83.33%)\n  Failed: 1 (16.67%)\n", 1,
      SF_TESTS_FAIL, 5, 1, NO },
    /* ---- the JVM, .NET, Swift ---- */
    { "maven, two modules",
      "[INFO] --- maven-surefire-plugin:2.22.3:test (default-test) @ a ---\n"
      "[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s - in A\n"
      "[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0\n"
      "[INFO] --- maven-surefire-plugin:2.22.3:test (default-test) @ b ---\n"
      "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1\n[INFO] BUILD SUCCESS\n",
      0, SF_TESTS_PASS, 4, 0, 1 },
    { "maven, tests are switched off",
      "[INFO] --- maven-surefire-plugin:2.22.3:test (default-test) @ a ---\n"
      "[INFO] Tests are skipped.\n[INFO] BUILD SUCCESS\n",
      0, SF_TESTS_NONE, 0, 0, 0 },
    { "maven, the fork crashed",
      "[INFO] --- maven-surefire-plugin:2.22.3:test (default-test) @ a ---\n[INFO] Running A\n"
      "[ERROR] Failed to execute goal x: The forked VM terminated without saying properly goodbye.\n",
      1, SF_TESTS_BROKEN, NO, NO, NO },
    { "gradle that logs its tests",
      "> Task :test\n\nA > one PASSED\n\nA > two PASSED\n\n"
      "A > later SKIPPED\n\nBUILD SUCCESSFUL in 1s\n",
      0, SF_TESTS_PASS, 2, 0, 1 },
    { "gradle without tests", "> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s\n", 0,
      SF_TESTS_NONE, 0, 0, 0 },
    { "gradle, a filter that meets none",
      "FAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task "
      "':test'.\n> No tests found for given includes: [X](--tests filter)\n\nBUILD FAILED in 1s\n",
      1, SF_TESTS_NONE, 0, 0, 0 },
    { "JUnit's console",
      "[         3 containers found      ]\n[         4 tests found           ]\n"
      "[         1 tests skipped         ]\n[         3 tests started         ]\n"
      "[         0 tests aborted         ]\n[         2 tests successful      ]\n"
      "[         1 tests failed          ]\n",
      1, SF_TESTS_FAIL, 2, 1, 1 },
    { "sbt",
      "[info] Tests: succeeded 2, failed 1, canceled 0, ignored 1, pending 0\n"
      "[error] Failed: Total 3, Failed 1, Errors 0, Passed 2, Ignored 1\n",
      1, SF_TESTS_FAIL, 2, 1, 1 },
    { "lein", "Ran 3 tests containing 4 assertions.\n1 failures, 0 errors.\n", 1, SF_TESTS_FAIL, 2,
      1, 0 },
    { "dotnet, two projects",
      "Passed!  - Failed:     0, Passed:     3, Skipped:     1, Total:     4, Duration: 5 ms - a.dll\n"
      "Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, Duration: 5 ms - b.dll\n",
      1, SF_TESTS_FAIL, 5, 1, 1 },
    { "dotnet without tests", "No test is available in /p/a.dll. Make sure that ...\n", 0,
      SF_TESTS_NONE, 0, 0, 0 },
    { "dotnet that is not built", "A.cs(3,5): error CS0103: x\n\nBuild FAILED.\n", 1,
      SF_TESTS_BROKEN, NO, NO, NO },
    { "vstest", "Test Run Failed.\nTotal tests: 3\n     Passed: 2\n     Failed: 1\n", 1,
      SF_TESTS_FAIL, 2, 1, 0 },
    { "swift, XCTest",
      "Test Suite 'A' passed\n\t Executed 3 tests, with 1 failure (0 unexpected) in 0.01 (0.02) "
      "seconds\nTest Suite 'All tests' failed\n\t Executed 3 tests, with 1 failure (0 unexpected) in "
      "0.01 (0.02) seconds\n",
      1, SF_TESTS_FAIL, 2, 1, 0 },
    { "swift, both kinds",
      "\t Executed 0 tests, with 0 failures (0 unexpected) in 0.0 (0.0) seconds\n"
      "✔ Test run with 2 tests passed after 0.001 seconds.\n",
      0, SF_TESTS_PASS, 2, 0, 0 },
    { "swift testing that fails",
      "✘ Test run with 2 tests failed after 0.1 seconds with 1 issue.\n", 1, SF_TESTS_FAIL, NO, NO,
      NO },
    /* ---- and the rest ---- */
    { "mix",
      "Running ExUnit with seed: 1, max_cases: 8\n\n..\n1 doctest, 3 tests, 1 failure, 1 skipped\n",
      2, SF_TESTS_FAIL, 2, 1, 1 },
    { "mix without tests", "There are no tests to run\n", 0, SF_TESTS_NONE, 0, 0, 0 },
    { "zig", "2 passed; 1 skipped; 0 failed.\n", 0, SF_TESTS_PASS, 2, 0, 1 },
    { "zig, all", "All 3 tests passed.\n", 0, SF_TESTS_PASS, 3, 0, 0 },
    { "hspec", "Finished in 0.0003 seconds\n3 examples, 1 failure, 1 pending\n", 1, SF_TESTS_FAIL,
      1, 1, 1 },
    { "tasty", "1 out of 3 tests failed (0.00s)\n", 1, SF_TESTS_FAIL, 2, 1, 0 },
    { "OUnit", "Ran: 3 tests in: 0.11 seconds.\nOK\n", 0, SF_TESTS_PASS, 3, 0, 0 },
    { "OUnit that fails",
      "Ran: 3 tests in: 0.11 seconds.\nFAILED: Cases: 3 Tried: 3 Errors: 0 Failures: 1 Skip:  1 Todo: "
      "0 Timeouts: 0.\n",
      1, SF_TESTS_FAIL, 1, 1, 1 },
    { "Alcotest", "Test Successful in 0.001s. 3 tests run.\n", 0, SF_TESTS_PASS, 3, 0, 0 },
    { "testthat", "[ FAIL 0 | WARN 0 | SKIP 1 | PASS 3 ]\n", 0, SF_TESTS_PASS, 3, 0, 1 },
    { "dart", "00:01 +2 ~1 -1: Some tests failed.\n", 1, SF_TESTS_FAIL, 2, 1, 1 },
    { "bazel", "Executed 1 out of 1 test: 1 test passes.\n", 0, SF_TESTS_UNKNOWN, NO, NO, NO },
    { "bazel, two", "Executed 2 out of 2 tests: 2 tests pass.\n", 0, SF_TESTS_PASS, 2, 0, 0 },
    { "a script in common words", "Results: 3 passed, 1 failed\n", 1, SF_TESTS_FAIL, 3, 1, NO },
    { "a script that counts to a total", "3/4 tests passed\n", 0, SF_TESTS_FAIL, 3, 1, NO },
    { "a script that prints its tests", "PASS: a\nFAIL: b\nSKIP: c\n", 1, SF_TESTS_FAIL, 1, 1, 1 },
    { "a script that counts all", "all 3 tests passed\n", 0, SF_TESTS_PASS, 3, NO, NO },
    { "a number of tests alone", "3 tests\n", 0, SF_TESTS_UNKNOWN, NO, NO, NO },
    { "a linter", "0 errors, 0 warnings\n", 0, SF_TESTS_UNKNOWN, NO, NO, NO },
    { "two runners after each other",
      "==== test session starts ====\n==== 3 passed in 0.01s ====\n\nTest Suites: 1 passed, 1 total\n"
      "Tests:       2 passed, 2 total\n",
      0, SF_TESTS_PASS, 5, 0, 0 },
    { "two runners, the first of which fails",
      "\n  1 passing (1ms)\n  1 failing\n\nTest Suites: 1 passed, 1 total\nTests:       2 passed, 2 "
      "total\n",
      0, SF_TESTS_FAIL, 3, 1, 0 },
    { "a time limit", "==== test session starts ====\na.py ..\n", 124, SF_TESTS_BROKEN, NO, NO,
      NO },
    { "no such program", "sh: 1: pytest: not found\n", 127, SF_TESTS_BROKEN, NO, NO, NO },
    { "silence", "", 0, SF_TESTS_UNKNOWN, NO, NO, NO },
    { "silence, and a failure", "", 1, SF_TESTS_FAIL, NO, NO, NO },
};

static bool is_wanted(const struct sf_reading *got, size_t i)
{
    return got->verdict == cases[i].verdict && got->passed == cases[i].passed &&
           got->failed == cases[i].failed && got->skipped == cases[i].skipped;
}

static void test_cases(void **state)
{
    unsigned wrong = 0;

    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        const struct sf_reading got =
            sf_reading_of(cases[i].code, cases[i].output, strlen(cases[i].output));

        if (is_wanted(&got, i))
            continue;
        print_error("%s: %s %d %d %d, not %s %d %d %d\n", cases[i].name,
                    sf_tests_verdicts[got.verdict], (int)got.passed, (int)got.failed,
                    (int)got.skipped, sf_tests_verdicts[cases[i].verdict], cases[i].passed,
                    cases[i].failed, cases[i].skipped);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* What is green ended with 0, says that a test passed, and came to its end. */
static void check_green(size_t i, int code, size_t len)
{
    const struct sf_reading got = sf_reading_of(code, cases[i].output, len);

    if (got.verdict == SF_TESTS_PASS && (code || got.failed > 0 || !got.passed))
        fail_msg("%s, exit code %d, cut to %zu bytes, is green", cases[i].name, code, len);
}

/* Nothing that was cut off is green where the whole is not, and nothing at all with another code. */
static void test_every_line(void **state)
{
    static const int codes[] = { 0, 1, 2, 101, 137, 255, -1 };

    (void)state;
    for (size_t i = 0; i < SF_COUNT(cases); i++) {
        const char *text = cases[i].output;

        for (const char *end = text; (end = strchr(end, '\n')); end++)
            for (size_t k = 0; k < SF_COUNT(codes); k++)
                check_green(i, codes[k], (size_t)(end + 1 - text));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_every_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
