import assert from 'node:assert/strict';
import type { TestItem, TestRunRequest } from 'vscode';
import { TestRunReport } from '../../../../src/editor/testing/testRunReport.ts';
import type { TestNote, TestResult } from '../../../../src/editor/testing/testTree.ts';
import { recordTestRuns } from '../../../render/recordTestRuns.ts';
import { fakeVscode } from '../helpers/fakeVscode.ts';

describe('the report of a test run', () => {
  const { api } = fakeVscode();
  const controller = api.tests.createTestController('repairBench', 'Repair Bench');
  const runs = recordTestRuns(controller);
  const item = (label: string): TestItem => controller.createTestItem(label, label);
  const begun = (name: string): TestRunReport => {
    const request: TestRunRequest = new api.TestRunRequest([item('tiny')]);
    return new TestRunReport(api, controller.createTestRun(request, name));
  };
  const nowhere = () => undefined;
  const result = (state: TestResult['state'], ...notes: readonly TestNote[]): TestResult => ({
    state,
    durationMs: 1,
    notes,
  });

  it('hands on states, with messages at their places and what was compared', () => {
    const report = begun('tiny');
    const at = new api.Location(api.Uri.file('/w/solution.py'), new api.Position(6, 0));
    report.started(item('tiny'));
    report.result(item('exists'), result('passed'), nowhere);
    const compared = { expected: '1000', actual: '999' };
    const notes = [
      { text: 'Not so.\nSee above.', compared, place: undefined },
      { text: 'Odd.', compared: undefined, place: undefined },
    ] as const;
    report.result(item('two'), result('failed', ...notes), (note) => (note === notes[1] ? at : undefined));
    report.result(item('tests'), result('errored', notes[1]), nowhere);
    report.result(item('style'), result('skipped'), nowhere);
    report.end();
    assert.equal(
      runs().at(-1),
      `tiny
started tiny
passed exists
failed two: Not so. [expected 1000, actual 999]; Odd. @ file:solution.py:7
errored tests: Odd.
skipped style
ended`,
    );
  });

  it('ends each line of output as a terminal wants it, and hands on all of it, however much that is', () => {
    const request = new api.TestRunRequest([]);
    const run = controller.createTestRun(request, 'endless');
    const written: string[] = [];
    run.appendOutput = (text) => void written.push(text);
    const report = new TestRunReport(api, run);
    report.print('one\ntwo');
    report.print('x\n'.repeat(300_000));
    assert.equal(written[0], 'one\r\ntwo\r\n');
    assert.equal(written[1], `${'x\r\n'.repeat(300_000)}\r\n`);
  });
});

describe('recorded test runs', () => {
  it('are those of all who record one controller, with what became outdated after them', () => {
    const { api } = fakeVscode();
    const controller = api.tests.createTestController('repairBench', 'Repair Bench');
    const [first, second] = [recordTestRuns(controller), recordTestRuns(controller)];
    controller.createTestRun(new api.TestRunRequest([]), 'one').end();
    const two = controller.createTestRun(new api.TestRunRequest([]), 'two');
    two.appendOutput('said\r\nmore\r\n');
    two.end();
    controller.invalidateTestResults(controller.createTestItem('id', 'tiny'));
    assert.deepEqual(first(), ['one\nended', 'two\n| said\n| more\nended\noutdated tiny']);
    assert.deepEqual(second(), first());
  });
});
