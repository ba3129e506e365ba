import assert from 'node:assert/strict';
import { lineOfTest } from '../../../../src/editor/testing/testLines.ts';

describe('the line of a test', () => {
  const file = [
    'def helper():',
    '    def test_a(): pass',
    'class TestA:',
    '    def test_a(self):',
    '        pass',
    '',
    'class TestB(Base):',
    '    @mark',
    '    async def test_a(self):',
    '        pass',
    'def test_a(',
    '    x,',
    '):',
    '    pass',
  ].join('\n');
  for (const [name, line] of [
    ['test_solution.test_a', 11],
    ['test_solution.TestA.test_a', 4],
    ['tests.test_solution.TestB.test_a[1.5-x]', 9],
    ['test_solution.test_none', undefined],
  ] as const)
    it(`of ${name}`, () => assert.equal(lineOfTest(file, name), line));
});
