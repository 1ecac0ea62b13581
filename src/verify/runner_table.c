/*
 * runner_table.c: the test runners that are known, one row each: its name, the words of its lists,
 * and its lines with what they mean. Patterns are those of pattern.h. A runner that is missing costs
 * a verdict of "unknown", never a wrong one.
 */
#include "base/base.h"
#include "verify/runner.h"

#define BEGINS  SF_LINE_BEGINS, 0
#define STARTS  SF_LINE_STARTS, 0
#define RESETS  SF_LINE_RESETS, 0
#define SUMS_UP SF_LINE_SUMS_UP, 0
#define TOTALS  SF_LINE_SUMS_UP, 'a'
#define ADDS    SF_LINE_ADDS, 0
#define NOTES   SF_LINE_NOTES, 0
#define COUNTS  SF_LINE_COUNTS
#define ENDS    SF_LINE_ENDS
#define CLOSES  SF_LINE_CLOSES, 0
#define EMPTY   SF_LINE_EMPTY, 0
#define BREAKS  SF_LINE_BREAKS, 0
#define FAILS   SF_LINE_FAILS, 0
#define UNTOLD  SF_LINE_UNTOLD, 0
#define PASSES  SF_LINE_PASSES, 0

#define DERIVES SF_RUNNER_DERIVES
#define LOOSE   SF_RUNNER_LOOSE
#define FRAMED  SF_RUNNER_FRAMED
#define OUTER   SF_RUNNER_OUTER
#define SPARSE  SF_RUNNER_SPARSE

#define LINES(...)                  \
    (const struct sf_runner_line[]) \
    {                               \
        __VA_ARGS__,                \
        {                           \
            NULL, SF_LINE_PASSES, 0 \
        }                           \
    }
#define COMMON "passed=p|failed=f|skipped=s|"

/* A test of TAP that is not held to its result. */
#define DIRECTIVE(word)                                                           \
    { "ok #x*\\# " word "*", COUNTS, 's' }, { "ok *\\# " word "*", COUNTS, 's' }, \
        { "not ok #x*\\# " word "*", COUNTS, 's' },                               \
    {                                                                             \
        "not ok *\\# " word "*", COUNTS, 's'                                      \
    }

/* clang-format off */
const struct sf_runner sf_runners[] = {
    { "ctest", 0, "", sf_finish_ctest, LINES(
        { "Test project *", BEGINS },
        { "_#x/#x Test \\##x: *\\*\\*\\*Skipped *", COUNTS, 's' },
        { "_#x/#x Test \\##x: *\\*\\*\\*Not Run (Disabled) *", COUNTS, 'w' },
        { "_#x/#x Test \\##x: * Passed *", COUNTS, 'p' },
        { "_#x/#x Test \\##x: *\\*\\*\\**", COUNTS, 'f' },
        { "* \\*\\*\\*Skipped *", COUNTS, 's' },
        { "*.\\*\\*\\*Skipped *", COUNTS, 's' },
        { "#x% tests passed, #f test+ failed out of #t", SUMS_UP },
        { " #x - * (Skipped)", COUNTS, 'n' },
        { " #x - * (Disabled)", COUNTS, 'r' },
        { "No tests were found\\!\\!\\!", EMPTY },
        { "No test configuration file found!", EMPTY },
        { "Failed to change working directory to *", BREAKS }) },
    { "automake", 0, "", NULL, LINES(
        { "Testsuite summary for *", BEGINS },
        { "\\# TOTAL: #x", SUMS_UP },
        { "\\# PASS: #p", ADDS }, { "\\# SKIP: #s", ADDS }, { "\\# XFAIL: #s", ADDS },
        { "\\# FAIL: #f", ADDS }, { "\\# XPASS: #f", ADDS }, { "\\# ERROR: #f", ADDS }) },
    { "pytest", DERIVES,
      COMMON "xfailed=s|xpassed=p|error+=f|deselected=x|warning+=x|rerun=x|subtests passed=x|"
      "subtests failed=f", NULL, LINES(
        { "=* test session starts =*", BEGINS },
        { "=* #x deselected in *", EMPTY }, { "#x deselected in *", EMPTY },
        { "=* #x deselected, #x warning+ in *", EMPTY },
        { "=* @ in #x.#xs*", SUMS_UP }, { "@ in #x.#xs*", SUMS_UP },
        { "=*no tests ran in *", EMPTY }, { "no tests ran in *", EMPTY },
        { "_no tests ran", EMPTY },
        { "#x test+ collected in *", EMPTY }, { "=* #x test+ collected in *", EMPTY },
        { "\\!* Interrupted: #x error+ during collection *", BREAKS },
        { "\\!* KeyboardInterrupt \\!*", BREAKS },
        { "\\!* \\_pytest.outcomes.Exit: *", BREAKS },
        { "\\_* ERROR collecting * \\_*", BREAKS },
        { "INTERNALERROR> *", BREAKS },
        { "ImportError while loading conftest *", BREAKS },
        { "Fatal Python error: *", BREAKS },
        { "ERROR: file or directory not found: *", BREAKS },
        { "ERROR: not found: *", BREAKS }, { "ERROR: usage: *", BREAKS },
        { "ERROR: found no collectors for *", BREAKS },
        { "ERROR: Wrong expression passed to *", BREAKS }) },
    { "unittest", DERIVES,
      "failures=f|errors=f|skipped=s|expected failures=s|unexpected successes=f|successes=p",
      sf_finish_unittest, LINES(
        { "Ran 0 tests*", EMPTY },
        { "Ran #t test+ in #x.#xs", SUMS_UP },
        { "OK", CLOSES }, { "OK (@)", CLOSES }, { "PASSED (@)", CLOSES },
        { "FAILED (@)", ADDS }, { "NO TESTS RAN*", EMPTY },
        { "ERROR: * (unittest.loader.\\_FailedTest*)", BREAKS },
        { "*ImportError: Start directory is not importable: *", BREAKS }) },
    { "cargo", 0, "passed=p|failed=f|ignored=s|measured=x|filtered out=x", NULL, LINES(
        { "running #x test+", BEGINS },
        { "test result: !. @*", SUMS_UP },
        { "test * ... ok", COUNTS, 'p' }, { "test * ... ignored*", COUNTS, 's' },
        { "test * ... FAILED", COUNTS, 'f' },
        { "error: could not compile *", BREAKS }, { "error: no test target *", BREAKS },
        { "error: could not find `Cargo.toml` *", BREAKS },
        { "error: failed to *", BREAKS }, { "error: no such command: *", BREAKS },
        { "error: test failed, *", FAILS }, { "error: doctest failed, *", FAILS },
        { "error: #x target+ failed:", FAILS }) },
    { "nextest", DERIVES, COMMON "timed out=f|exec failed=f|flaky=x|leaky=x", NULL, LINES(
        { "_Summary [*] #t test+ run: @*", SUMS_UP },
        { "_Summary [*] #x/#t test+ run: @*", SUMS_UP },
        { "error: no tests to run*", EMPTY }) },
    { "go", SPARSE, "", sf_finish_go, LINES(
        { "*--- PASS: * (*s)", COUNTS, 'p' }, { "*--- FAIL: * (*s)", COUNTS, 'f' },
        { "*--- SKIP: * (*s)", COUNTS, 's' },
        { "ok\\ \\ \t*[no tests to run]", ENDS, 'n' }, { "ok\\ \\ \t*", ENDS, 'p' },
        { "?\\ \\ \\ \t*[no test files]", ENDS, 'n' },
        { "FAIL\t*[build failed]", BREAKS }, { "FAIL\t*[setup failed]", BREAKS },
        { "FAIL\t*", ENDS, 'f' },
        { "panic: *", COUNTS, 'b' }, { "fatal error: all goroutines are asleep*", BREAKS },
        { "no packages to test", EMPTY }, { "go: go.mod file not found *", BREAKS },
        { "go: cannot find main module*", BREAKS }) },
    { "go -json", SPARSE, "", sf_finish_go_json, LINES(
        { "{*\"Action\":\"output\"*[build failed]*", BREAKS },
        { "{*\"Action\":\"output\"*[setup failed]*", BREAKS },
        { "{*\"Action\":\"output\"*\"Output\":\"panic: *", BREAKS },
        { "{*\"Action\":\"output\"*", PASSES },
        { "{*\"Action\":\"build-fail\"*", BREAKS },
        { "{*\"Action\":\"pass\"*\"Test\":\"*", COUNTS, 'p' },
        { "{*\"Action\":\"fail\"*\"Test\":\"*", COUNTS, 'f' },
        { "{*\"Action\":\"skip\"*\"Test\":\"*", COUNTS, 's' },
        { "{*\"Action\":\"pass\"*\"Package\":*", ENDS, 'p' },
        { "{*\"Action\":\"fail\"*\"Package\":*", ENDS, 'f' },
        { "{*\"Action\":\"skip\"*\"Package\":*", ENDS, 'n' }) },
    { "gotestsum", DERIVES, "test+=t|skipped=s|failure+=f|error+=f", NULL, LINES(
        { "DONE @ in *s", SUMS_UP }, { "DONE #x runs, @ in *s", SUMS_UP }) },
    { "node", 0, "", sf_finish_node, LINES(
        { "TAP version #x", STARTS },
        { "ℹ tests #x", SUMS_UP }, { "\\# tests #x", SUMS_UP }, { "_<\\!-- tests #x -->", SUMS_UP },
        { "ℹ pass #p", ADDS }, { "\\# pass #p", ADDS }, { "_<\\!-- pass #p -->", ADDS },
        { "ℹ fail #f", ADDS }, { "\\# fail #f", ADDS }, { "_<\\!-- fail #f -->", ADDS },
        { "ℹ cancelled #f", ADDS }, { "\\# cancelled #f", ADDS },
        { "_<\\!-- cancelled #f -->", ADDS },
        { "ℹ skipped #s", ADDS }, { "\\# skipped #s", ADDS }, { "_<\\!-- skipped #s -->", ADDS },
        { "ℹ todo #s", ADDS }, { "\\# todo #s", ADDS }, { "_<\\!-- todo #s -->", ADDS },
        /* A file counts as a test where it has none, or where it crashed. */
        { "▶ !/!js", COUNTS, 'r' }, { "▶ !/!ts", COUNTS, 'r' },
        { "✔ /*js (*ms)", COUNTS, 'w' }, { "✔ /*ts (*ms)", COUNTS, 'w' },
        { "✔ !/!js (*ms)", COUNTS, 'w' }, { "✔ !/!ts (*ms)", COUNTS, 'w' },
        { "✖ /*js (*ms)", COUNTS, 'b' }, { "✖ /*ts (*ms)", COUNTS, 'b' },
        { "✖ !/!js (*ms)", COUNTS, 'b' }, { "✖ !/!ts (*ms)", COUNTS, 'b' },
        { "ok #x - /*js", COUNTS, 'w' }, { "ok #x - /*ts", COUNTS, 'w' },
        { "not ok #x - /*js", COUNTS, 'b' }, { "not ok #x - /*ts", COUNTS, 'b' },
        { "Could not find '*", BREAKS }) },
    { "vitest", DERIVES, COMMON "todo=s|expected fail=s", NULL, LINES(
        { " RUN v#x*", BEGINS },
        { " Tests @", SUMS_UP }, { " Tests @ (#t)", SUMS_UP }, { " Tests no tests", SUMS_UP },
        { "⎯* Failed Suites #b ⎯*", NOTES },
        { "Error: No test suite found in file *", COUNTS, 'n' },
        { "No test files found, exiting with code #x", EMPTY }) },
    { "jest", DERIVES, COMMON "todo=s|total=t", sf_finish_jest, LINES(
        { "Test Suites: #r failed, *", NOTES }, { "Test Suites: *", PASSES },
        { "Tests: @", SUMS_UP },
        { "_● Test suite failed to run", COUNTS, 'b' },
        { "_Your test suite must contain at least one test.", COUNTS, 'n' },
        { "No tests found, exiting with code #x", EMPTY },
        { "No tests found related to files changed *", EMPTY }) },
    { "mocha", 0, "", NULL, LINES(
        { "_Running: * (#x of #x)", BEGINS },
        { " #p passing (*)", SUMS_UP }, { " #p passing", SUMS_UP },
        { " #f failing", ADDS }, { " #s pending", ADDS },
        { "_Exception during run: *", BREAKS },
        { "Error: No test files found*", EMPTY },
        { "Warning: Cannot find any files matching pattern *", EMPTY }) },
    { "ava", 0, "", NULL, LINES(
        { " ─", RESETS },
        { " #p test+ passed", ADDS }, { " #f test+ failed", ADDS }, { " #s test+ skipped", ADDS },
        { " #s test+ todo", ADDS }, { " #s known failure+", ADDS }, { " #f hook+ failed", ADDS },
        { " #x uncaught exception+", BREAKS }, { " #x unhandled rejection+", BREAKS },
        { "_✘ * exited with a non-zero exit code: *", BREAKS },
        { "_✘ * exited due to *", BREAKS }, { "_✘ Timed out while running tests", BREAKS },
        { "_✘ No tests found in *", EMPTY }, { "_✘ Couldn*t find any files to test*", EMPTY }) },
    { "phpunit", DERIVES,
      "Tests=t|Assertions=x|Errors=f|Failures=f|Skipped=s|Incomplete=s|Risky=s|Warnings=w|"
      "PHPUnit Warnings=x|Deprecations=x|PHPUnit Deprecations=x|Notices=x|PHPUnit Notices=x",
      NULL, LINES(
        { "PHPUnit #x.* by Sebastian Bergmann*", BEGINS },
        { "OK (#p test+, #x assertion+)", SUMS_UP },
        { "Tests: #t, Assertions: #x.", SUMS_UP }, { "Tests: #t, Assertions: #x, @.", SUMS_UP },
        { "No tests executed\\!", EMPTY },
        { "PHP Fatal error: *", BREAKS }, { "PHP Parse error: *", BREAKS },
        { "Fatal error: *", BREAKS }, { "Parse error: *", BREAKS },
        { "An error occurred inside PHPUnit.", BREAKS },
        { "Cannot open file \"*", BREAKS }, { "Test file \"*\" not found*", BREAKS },
        { "Test directory \"*\" not found*", BREAKS }) },
    { "pest", DERIVES, COMMON "todo+=s|risky=s|warning+=x|incomplete=s|deprecated=x|notice+=x", NULL,
      LINES({ "_Tests: @ (#x assertion+)", SUMS_UP }) },
    { "rspec", DERIVES,
      "example+=t|failure+=f|pending=s|error+ occurred outside of examples=b", NULL, LINES(
        { "#t example+, @", SUMS_UP }, { "#t example+, @,*", SUMS_UP },
        { "An error occurred while loading *", BREAKS }) },
    { "minitest", DERIVES,
      "failure+=f|error+=f|skip+=s|pending+=s|omission+=s|notification+=x", NULL, LINES(
        { "#t run+, #x assertion+, @", SUMS_UP }, { "#t test+, #x assertion+, @", SUMS_UP },
        { "#t test+, #x assertion+, @.", SUMS_UP }) },
    { "meson", 0, "", NULL, LINES(
        { "_#x/#x * OK *s", STARTS }, { "_#x/#x * FAIL *s *", STARTS },
        { "Ok: #p", SUMS_UP }, { "Expected Fail: #s", ADDS }, { "Fail: #f", ADDS },
        { "Unexpected Pass: #f", ADDS }, { "Skipped: #s", ADDS }, { "Timeout: #f", ADDS },
        { "No tests defined.", EMPTY }, { "No suitable tests defined.", EMPTY },
        { "Could not rebuild *", BREAKS }, { "ERROR: No such build data file *", BREAKS }) },
    { "TAP", 0, "", sf_finish_tap, LINES(
        { "TAP version #x", BEGINS },
        { "1..#l", NOTES }, { "1..#l *", NOTES },
        { "not ok #x bats-gather-tests", COUNTS, 'b' },
        DIRECTIVE("SKIP"), DIRECTIVE("skip"), DIRECTIVE("Skip"), DIRECTIVE("TODO"),
        DIRECTIVE("todo"), DIRECTIVE("Todo"),
        /* That is how node calls a file without a test. */
        { "ok #x - /*js", COUNTS, 's' }, { "ok #x - /*ts", COUNTS, 's' },
        { "ok #x", COUNTS, 'p' }, { "ok #x *", COUNTS, 'p' },
        { "ok - *", COUNTS, 'p' },
        { "not ok #x", COUNTS, 'f' }, { "not ok #x *", COUNTS, 'f' }, { "not ok - *", COUNTS, 'f' },
        { "Bail out\\!*", BREAKS }, { "*Test file \"*\" does not exist*", BREAKS },
        { "\\# Looks like your test exited with #x just after *", BREAKS }) },
    { "prove", SPARSE, "", sf_finish_prove, LINES(
        { "!.t \\.\\.*", STARTS },
        { "* (Wstat: * Tests: #x Failed: #f)", NOTES },
        { "_Parse errors: Bad plan. *", BREAKS }, { "_Parse errors: No plan found*", BREAKS },
        { "FAILED--Further testing stopped*", BREAKS }, { "Cannot detect source of *", BREAKS },
        { "Files=#x, Tests=#t, *", SUMS_UP },
        { "Result: PASS", CLOSES }, { "Result: NOTESTS", CLOSES }, { "Result: FAIL", FAILS }) },
    { "googletest", 0, "", NULL, LINES(
        { "[==========] Running #x test*", BEGINS }, { "[==========] *: Running #x test*", BEGINS },
        { "[==========] #x test* ran. *", SUMS_UP }, { "[==========] #x test* ran.", SUMS_UP },
        { "[==========] #x test(s) run.", SUMS_UP },
        { "[==========] *: #x test(s) run.", SUMS_UP },
        { "[ PASSED ] #p test*", ADDS }, { "[ SKIPPED ] #s test*", ADDS },
        { "[ FAILED ] #f test*", ADDS }, { " YOU HAVE #s DISABLED TEST*", ADDS },
        { "[ OK ] *", COUNTS, 'p' }, { "[ FAILED ] *", COUNTS, 'f' },
        { "[ SKIPPED ] *", COUNTS, 's' }) },
    { "Catch2", DERIVES, COMMON "failed as expected=s", NULL, LINES(
        { "All tests passed (#x assertion+ in #p test case+)", SUMS_UP },
        { "test cases: #t | @", SUMS_UP }, { "[doctest] test cases: #t | @*", SUMS_UP },
        { "No tests ran", EMPTY }, { "No test cases matched *", EMPTY },
        { "due to a fatal error condition:", BREAKS },
        { "_TEST CASE CRASHED: *", BREAKS }) },
    { "maven", DERIVES, "", sf_finish_maven, LINES(
        { "[*] --- *surefire*test *", BEGINS }, { "[*] --- *failsafe*integration-test *", BEGINS },
        { "[*] Tests run: #t, Failures: #f, Errors: #f, Skipped: #s", SUMS_UP },
        { "[*] Tests run: #t, Failures: #f, Errors: #f, Skipped: #s, Flakes: #x", SUMS_UP },
        { "[*] Tests run: #t, Failures: #f, Errors: #f, Skipped: #s, Time elapsed*", NOTES },
        { "Tests run: #t, Failures: #f, Errors: #f, Skipped: #s", SUMS_UP },
        { "Tests run: #t, Failures: #f, Errors: #f, Skipped: #s, Time elapsed*", NOTES },
        { "Tests run: #t, Failures: #f", SUMS_UP },
        { "[*] No tests to run.", EMPTY }, { "[*] Tests are skipped.", EMPTY },
        { "[ERROR] COMPILATION ERROR*", BREAKS },
        { "[ERROR] *The forked VM terminated *", BREAKS },
        { "[ERROR] Failed to execute goal *There are test failures*", FAILS },
        { "[ERROR] Failed to execute goal *There was test failures*", FAILS },
        { "[ERROR] Failed to execute goal *No tests were executed*", EMPTY },
        { "[ERROR] Failed to execute goal *No tests matching pattern *", EMPTY },
        { "[ERROR] Failed to execute goal *", BREAKS },
        { "[ERROR] The goal you specified requires a project *", BREAKS },
        { "[ERROR] Non-resolvable *", BREAKS }, { "[INFO] BUILD FAILURE", FAILS }) },
    { "JUnit", 0, "", NULL, LINES(
        { "OK (#p test+)", SUMS_UP },
        { "[_#x tests found ]", SUMS_UP }, { "[_#p tests successful ]", ADDS },
        { "[_#f tests failed ]", ADDS }, { "[_#s tests skipped ]", ADDS },
        { "[_#s tests aborted ]", ADDS }) },
    { "gradle", DERIVES, COMMON, sf_finish_quoted, LINES(
        { "#t test+ completed, @", SUMS_UP },
        { "! > * PASSED", COUNTS, 'p' }, { "! > * FAILED", COUNTS, 'f' },
        { "! > * SKIPPED", COUNTS, 's' },
        { "*:test NO-SOURCE", EMPTY }, { "*:test SKIPPED", EMPTY },
        { "> Task :*test", UNTOLD }, { "> Task :*test UP-TO-DATE", UNTOLD }, { ":test*", UNTOLD },
        { "> No tests found for given includes: *", EMPTY },
        { "> Compilation failed*", BREAKS }, { "Execution failed for task ':*ompile*", BREAKS },
        { "A problem occurred evaluating *", BREAKS },
        { "A problem occurred configuring *", BREAKS },
        { "> Process 'Gradle Test Executor *", BREAKS }, { "Task '*' not found in *", BREAKS },
        { "> There were failing tests. *", FAILS }, { "BUILD FAILED*", FAILS }) },
    { "dotnet", DERIVES, "Failed=f|Passed=p|Skipped=s|Total=t|failed=f|succeeded=p|skipped=s|total=t",
      NULL, LINES(
        { "Passed\\!_- @", ADDS }, { "Passed\\!_- @, Duration*", ADDS },
        { "Failed\\!_- @", ADDS }, { "Failed\\!_- @, Duration*", ADDS },
        { "Test summary: @", SUMS_UP }, { "Test summary: @, duration*", SUMS_UP },
        { "Total tests: #t", SUMS_UP }, { " Passed: #p", ADDS }, { " Failed: #f", ADDS },
        { " Skipped: #s", ADDS }, { "Test run summary: *", STARTS },
        { " total: #t", SUMS_UP }, { " failed: #f", ADDS }, { " succeeded: #p", ADDS },
        { " skipped: #s", ADDS },
        { "No test is available in *", EMPTY }, { "Build FAILED.", BREAKS },
        { "*: error CS#x: *", BREAKS }) },
    { "XCTest", DERIVES, "test+ skipped=s|failure+=f|unexpected=x", NULL, LINES(
        { "_Executed #t test+, with @*", TOTALS }) },
    { "Swift Testing", DERIVES, "", NULL, LINES(
        { "* Test run with #t test+ *passed after *", SUMS_UP },
        { "* Test run with #x test+ *failed after *", FAILS },
        { "* Test * skipped*", COUNTS, 's' } ) },
    { "deno", DERIVES, COMMON "ignored=s|measured=x|filtered out=x", NULL, LINES(
        { "ok | @*", SUMS_UP }, { "FAILED | @*", SUMS_UP },
        { "error: No test modules found*", EMPTY },
        { "error: Type checking failed*", BREAKS }) },
    { "bun", 0, "", NULL, LINES(
        { "bun test v*", BEGINS },
        { " #p pass", SUMS_UP }, { " #s skip", ADDS }, { " #s todo", ADDS }, { " #f fail", ADDS },
        { " #x error+", BREAKS }, { "Ran #x test+ across #x file+.*", CLOSES },
        { "No tests found\\!*", EMPTY }, { "error: #x test files matching *", EMPTY }) },
    { "lab", DERIVES, COMMON, NULL, LINES(
        { "#p test+ passed", SUMS_UP }, { "#f of #t test+ failed", SUMS_UP },
        { "#f of #t test+ failed, @", SUMS_UP }, { "#p test+ passed, @", SUMS_UP },
        { "#p test+ passed (#s skipped)", SUMS_UP }) },
    { "jasmine", DERIVES, "spec+=t|failure+=f|pending spec+=s", NULL, LINES(
        { "#t spec+, @", SUMS_UP }, { "No specs found*", EMPTY },
        { "Incomplete: No specs found*", EMPTY } ) },
    { "karma", DERIVES, "", NULL, LINES(
        { "*: Executed #r of #x SUCCESS*", TOTALS }, { "*: Executed #x of #x ERROR*", BREAKS },
        { "*: Executed #r of #x (skipped #s) SUCCESS*", TOTALS },
        { "*: Executed #r of #x (#f FAILED) (skipped #s)*", TOTALS },
        { "*: Executed #r of #x (#f FAILED)*", TOTALS },
        { "*: Executed #x of #x *DISCONNECTED*", BREAKS } ) },
    { "playwright", FRAMED, "", NULL, LINES(
        { "Running #x test+ using #x worker+*", BEGINS },
        { " #p passed (*)", ADDS }, { " #f failed", ADDS }, { " #s skipped", ADDS },
        { " #p flaky", ADDS }, { " #f interrupted", ADDS }, { " #x did not run", ADDS },
        { "Error: No tests found*", EMPTY }) },
    { "behave", DERIVES, COMMON "error+=f|untested=x|undefined=f", NULL, LINES(
        { "#p scenario+ passed, @", SUMS_UP }) },
    { "cucumber", DERIVES, COMMON "undefined=f|pending=s|ambiguous=f|flaky=x", NULL, LINES(
        { "#t scenario+", SUMS_UP }, { "#t scenario+ (@)", SUMS_UP } ) },
    { "sbt", DERIVES,
      "succeeded=p|failed=f|canceled=s|ignored=s|pending=s|Total=t|Failed=f|Errors=f|Passed=p|"
      "Ignored=s|Canceled=s|Skipped=s|Pending=s", NULL, LINES(
        { "[*] Tests: @", SUMS_UP }, { "Tests: succeeded #p, @", SUMS_UP },
        { "[*] *ed: Total #t, @", TOTALS }, { "*ed: Total #t, @", TOTALS },
        { "[*] No tests were executed*", EMPTY }, { "[*] No tests to run for *", EMPTY },
        { "[error] * Compilation failed", BREAKS }) },
    { "clojure", DERIVES, "failure+=f|error+=f", sf_finish_unittest, LINES(
        { "Ran #t test+ containing #x assertion+.", SUMS_UP }, { "@.", CLOSES } ) },
    { "ExUnit", DERIVES | FRAMED,
      "doctest+=t|test+=t|property=t|properties=t|failure+=f|skipped=s|excluded=w|"
      "invalid=f", NULL, LINES(
        { "Running ExUnit with seed: *", BEGINS }, { "@", SUMS_UP },
        { "There are no tests to run", EMPTY }, { "== Compilation error in file *", BREAKS } ) },
    { "zig", DERIVES, COMMON, NULL, LINES(
        { "All #p tests passed.", SUMS_UP },
        { "Build Summary: *; #p/#t tests passed*; #f failed*", SUMS_UP },
        { "Build Summary: *; #p/#t tests passed*; #s skipped*", SUMS_UP },
        { "Build Summary: *; #p/#t tests passed*", SUMS_UP },
        { "error: the following build command failed *", FAILS } ) },
    { "tasty", DERIVES, "", NULL, LINES(
        { "All #p test+ passed (*)", SUMS_UP }, { "#f out of #t test+ failed (*)", SUMS_UP } ) },
    { "OUnit", DERIVES, "Cases=t|Tried=x|Errors=f|Failures=f|Skip=s|Todo=s|Timeouts=f",
      sf_finish_unittest, LINES(
        { "Ran: #t test+ in: *", SUMS_UP }, { "FAILED: @.", SUMS_UP }, { "OK", CLOSES } ) },
    { "Alcotest", DERIVES, "", NULL, LINES(
        { "Test Successful in *. #p test+ run.", SUMS_UP },
        { "#f failure+\\! in *. #t test+ run.", SUMS_UP },
        { "#f error+\\! in *. #t test+ run.", SUMS_UP } ) },
    { "Boost.Test", DERIVES, "", sf_finish_unittest, LINES(
        { "Running #t test case+...", SUMS_UP }, { "\\*\\*\\* No errors detected", CLOSES },
        { "\\*\\*\\* * detected in the test module *", FAILS } ) },
    { "QtTest", DERIVES, COMMON "blacklisted=x", NULL, LINES(
        { "\\*\\*\\*\\*\\*\\*\\*\\*\\* Start testing of *", BEGINS },
        { "PASS : !::initTestCase()", COUNTS, 'w' }, { "PASS : !::cleanupTestCase()", COUNTS, 'w' },
        { "Totals: @*", SUMS_UP }, { "QFATAL : *", BREAKS } ) },
    { "Criterion", DERIVES, "Tested=t|Passing=p|Failing=f|Crashing=f", NULL, LINES(
        { "[====] Synthesis: @", SUMS_UP } ) },
    { "busted", 0, "success=p|successes=p|failure+=f|error+=f|pending=s", NULL, LINES(
        { "#p successes / @ : *", SUMS_UP }, { "#p success / @ : *", SUMS_UP } ) },
    { "luaunit", DERIVES, "success=p|successes=p|failure+=f|error+=f|skipped=s|non-selected=x", NULL,
      LINES( { "Ran #t tests in * seconds, @", SUMS_UP } ) },
    { "testthat", 0, "FAIL=f|WARN=x|SKIP=s|PASS=p", NULL, LINES( { "[ @ ]", SUMS_UP } ) },
    { "dart", 0, "", NULL, LINES(
        { "#x:#x \\+#p: All tests passed\\!", SUMS_UP },
        { "#x:#x \\+#p ~#s: All tests passed\\!", SUMS_UP },
        { "#x:#x \\+#p -#f: Some tests failed.", SUMS_UP },
        { "#x:#x \\+#p ~#s -#f: Some tests failed.", SUMS_UP }, { "No tests ran.", EMPTY } ) },
    { "robot", DERIVES, COMMON, NULL, LINES( { "#t test+, #p passed, @", TOTALS } ) },
    { "Unity", DERIVES, "", NULL, LINES( { "#t Tests #f Failures #s Ignored", SUMS_UP } ) },
    { "CppUTest", 0, "test+=t|ran=r|checks=x|ignored=s|filtered out=x|failures=f", NULL, LINES(
        { "OK (#x test+, #p ran, #x checks, #s ignored, *)", SUMS_UP },
        { "Errors (@, *)", SUMS_UP } ) },
    { "Check", DERIVES, "", NULL, LINES(
        { "#x%: Checks: #t, Failures: #f, Errors: #f", SUMS_UP } ) },
    { "munit", 0, "", NULL, LINES(
        { "#p of #x (#x%) tests successful, #s (#x%) test skipped.", SUMS_UP } ) },
    { "bazel", 0, "", NULL, LINES(
        { "Executed #x out of #x test+: #p test+ pass.", SUMS_UP },
        { "Executed #x out of #x test+: #p test+ pass* and #f fail*", SUMS_UP } ) },
    { "lit", DERIVES | SPARSE, "", NULL, LINES(
        { "Total Discovered Tests: #t", SUMS_UP }, { "_Passed: #p (*%)", ADDS },
        { "_Passed : #p (*%)", ADDS }, { "_Failed: #f (*%)", ADDS }, { "_Failed : #f (*%)", ADDS },
        { "_Skipped: #s (*%)", ADDS }, { "_Unsupported: #s (*%)", ADDS } ) },
    /* Where no runner above told anything, in the words that many have in common. */
    { "words", LOOSE | DERIVES | SPARSE,
      COMMON "fail=f|pass=p|failure+=f|error+=f|test+=t|test case+=t|check+=t|spec+=t|doctest+=t|"
      "property=t|properties=t|excluded=w|invalid=f|test+ passed=p|test+ failed=f|"
      "test+ skipped=s|not run=b|ignored=s|pending=s|todo=s|"
      "check+ passed=p|check+ failed=f|ok=p|Passed=p|Failed=f|Skipped=s|Total=t|total=t", NULL, LINES(
        { "_@", SUMS_UP }, { "_@.", SUMS_UP }, { "_@ (*)", SUMS_UP },
        { "_Results: @", SUMS_UP }, { "_Result: @", SUMS_UP }, { "_Summary: @", SUMS_UP },
        { "_Tests: @", SUMS_UP }, { "_Total: @", SUMS_UP },
        { "_#p/#t test+ passed*", SUMS_UP }, { "_#p of #t test+ passed*", SUMS_UP },
        { "_#p tests passed*", SUMS_UP }, { "_all #p test+ passed*", SUMS_UP },
        { "_All #p test+ passed*", SUMS_UP },
        { "no tests found*", EMPTY }, { "No tests found*", EMPTY }, { "no tests ran*", EMPTY },
        { "No tests to run*", EMPTY }, { "no tests to run*", EMPTY } ) },
    { "lines", LOOSE, "", sf_finish_quoted, LINES(
        { "PASS: *", COUNTS, 'p' }, { "FAIL: *", COUNTS, 'f' }, { "XFAIL: *", COUNTS, 's' },
        { "XPASS: *", COUNTS, 'f' }, { "SKIP: *", COUNTS, 's' }, { "ERROR: *", COUNTS, 'f' } ) },
    /* Not runners of tests, but what starts them. */
    { "make", OUTER, "", NULL, LINES(
        { "*make*: \\*\\*\\* No rule to make target *", BREAKS },
        { "*make*: \\*\\*\\* No targets *", BREAKS },
        { "*make*: \\*\\*\\* * Segmentation fault*", BREAKS },
        { "*make*: \\*\\*\\* * Aborted*", BREAKS }, { "*make*: \\*\\*\\* * Killed*", BREAKS },
        { "*make*: \\*\\*\\* *", FAILS } ) },
    { "tools", LOOSE, "", NULL, LINES(
        { "ninja: build stopped: *", BREAKS }, { "ninja: error: *", BREAKS },
        { "CMake Error*", BREAKS }, { "*: fatal error: *", BREAKS },
        { "collect2: error: *", BREAKS }, { "*: undefined reference to *", BREAKS },
        { "npm *Missing script: *", BREAKS }, { "error: Script not found*", BREAKS },
        { "error Command \"*\" not found.", BREAKS },
        { "Error: Cannot find module *", BREAKS }, { "_evaluation failed :( (*)", FAILS } ) },
    { "compilers", LOOSE, "", NULL, LINES(
        { "!: error: *", BREAKS }, { "error: *", BREAKS }, { "error[*]: *", BREAKS },
        { "SyntaxError: *", BREAKS }, { "*: syntax error *", BREAKS },
        { "ModuleNotFoundError: *", BREAKS }, { "ImportError: *", BREAKS } ) },
};
/* clang-format on */

const size_t sf_runner_count = SF_COUNT(sf_runners);
