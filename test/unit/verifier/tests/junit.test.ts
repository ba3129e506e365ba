import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseJunit } from '../../../../src/verifier/tests/junit.ts';

const REPORT = `<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="pytest" errors="1" failures="1" tests="4">
<testcase classname="test_solution" name="test_ok" time="0.010" />
<testcase classname="test_solution" name="test_bad" time="0.002"><failure message="assert 1 == 2&#10;  +1">/tests/test_solution.py:9: in test_bad
    assert f() == 2
E   assert 1 == 2</failure></testcase>
<testcase classname="test_solution" name="test_skip" time="0.0"><skipped type="pytest.skip" message="not here">x</skipped></testcase>
<testcase classname="" name="test_broken" time="0.0"><error message="collection failure">E   SyntaxError: invalid syntax</error></testcase>
</testsuite></testsuites>`;

describe('a JUnit report', () => {
  it('gives names, states, durations, messages and details', () => {
    const { cases, broken } = parseJunit(REPORT);
    assert.equal(broken, false);
    assert.deepEqual(
      cases.map(({ name, state, durationMs, message }) => [name, state, durationMs, message]),
      [
        ['test_solution.test_ok', 'passed', 10, undefined],
        ['test_solution.test_bad', 'failed', 2, 'assert 1 == 2\n  +1'],
        ['test_solution.test_skip', 'skipped', 0, 'not here'],
        ['test_broken', 'errored', 0, 'collection failure'],
      ],
    );
    assert.match(cases[1]?.detail ?? '', /test_solution\.py:9: in test_bad/);
  });

  it('keeps the cases before a break', () => {
    const { cases, broken } = parseJunit(REPORT.slice(0, 330));
    assert.equal(broken, true);
    assert.equal(cases[0]?.name, 'test_solution.test_ok');
  });

  it('does not expand entities of its own making', () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><testsuite><testcase name="&b;"/></testsuite>`;
    assert.ok(JSON.stringify(parseJunit(bomb).cases).length < 200);
  });

  it('never fails on garbage', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(REPORT.length), (text, at) => {
        parseJunit(text);
        parseJunit(REPORT.slice(0, at) + text);
      }),
    );
  });
});
