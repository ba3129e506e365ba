// Verifier styles found in the wild: the script from its second line on, its trace as bash 5.2 writes it, and the gates.
import assert from 'node:assert/strict';
import { verdictText } from '../../../host/verdictText.ts';
import { judgeScripted, type Scripted } from '../helpers/scriptedEvidence.ts';

const R = '/logs/verifier/reward.txt';

interface Style extends Scripted {
  readonly name: string;
  /** The verdict's text after its first line. */
  readonly gates: string;
}

const STYLES: readonly Style[] = [
  {
    name: 'a redirection after && and || belongs to the last command',
    script: `pytest /tests/t.py && echo 1 > ${R} || echo 0 > ${R}\n`,
    trace: '+2:0: pytest /tests/t.py\n+2:1: echo 0\n',
    reward: '0',
    gates: `reward written at line 2
✗* 2 tests: t.py passes [status 1]
     The runner reported failures.`,
  },
  {
    name: 'both branches on one line are told apart by what they print',
    script: `if bash /tests/run.sh; then echo 1 > ${R}; else echo 0 > ${R}; fi\n`,
    trace: '+2:0: bash /tests/run.sh\n+2:0: echo 0\n',
    reward: '0',
    gates: `reward written at line 2
✗* 2 check: bash /tests/run.sh
     The script did not continue from here.`,
  },
  {
    name: 'both branches on one line are told apart by what they assign',
    script: `if test -f /app/solution.py; then v=1; else v=0; fi\necho $v > ${R}\n`,
    trace: '+2:0: test -f /app/solution.py\n+2:0: v=0\n+3:0: echo 0\n',
    reward: '0',
    gates: `reward written at line 3
✗* 2 exists: solution.py exists
     solution.py is missing in the container. @ /app/solution.py:1`,
  },
  {
    name: 'the redirection of a whole if counts inside it',
    script: `if python3 -m unittest t; then echo 1; else echo 0; fi > ${R}\n`,
    trace: '+2:0: python3 -m unittest t\n+2:0: echo 0\n',
    reward: '0',
    gates: `reward written at line 2
✗* 2 tests: tests pass
     The runner reported failures.`,
  },
  {
    name: 'a command that looks like a member of its pipeline may come after it',
    script: `echo "abc  /app/solution.py" | sha256sum -c - && { echo unchanged; echo 0 > ${R}; exit 0; }\necho 1 > ${R}\n`,
    trace:
      "+2:0: echo 'abc  /app/solution.py'\n+2:0: sha256sum -c -\n+2:0: echo unchanged\n+2:0: echo 0\n+2:0: exit 0\n",
    reward: '0',
    gates: `reward written at line 2
✗* 2 edited: solution.py was edited [status 0]
     solution.py is the same as the starter: nothing was edited. @ /app/solution.py:1`,
  },
  {
    name: 'a job in the background has the status that wait gives',
    script: `pytest /tests/t.py &\npid=$!\nif wait "$pid"; then\n  echo 1 > ${R}\nelse\n  echo 0 > ${R}\nfi\n`,
    trace: '+3:0: pid=7\n+4:0: wait 7\n+2:0: pytest /tests/t.py\n+7:1: echo 0\n',
    reward: '0',
    gates: `reward written at line 7
✗* 2 tests: t.py passes
     At line 4 the script reads this result and turns away from a reward.`,
  },
  {
    name: 'until tries again, and its last turn counts',
    script: `until pytest /tests/t.py; do\n  sleep 1\ndone\necho 1 > ${R}\n`,
    trace: '+2:0: pytest /tests/t.py\n+3:0: sleep 1\n+2:0: pytest /tests/t.py\n+5:0: echo 1\n',
    reward: '1',
    gates: `reward written at line 5
✓* 2 tests: t.py passes [2 times]
     The test command succeeded.
~ no-report: pytest at line 2 succeeded but left no report: something ended it early, or it is not pytest.`,
  },
  {
    name: 'in a loop one failure of a runner is a failure',
    script: `ok=1\nfor t in a b; do\n  pytest "$t" || ok=0\ndone\necho $ok > ${R}\n`,
    trace:
      '+2:0: ok=1\n+3:0: for t in a b\n+4:0: pytest a\n+4:1: ok=0\n+3:0: for t in a b\n+4:0: pytest b\n+6:0: echo 0\n',
    reward: '0',
    gates: `reward written at line 6
✗* 4 tests: tests pass [status 0] [2 times]
     The runner reported failures 1 of 2 times.`,
  },
  {
    name: '$? is the status of the command before, whatever it is',
    script: `python3 /tests/compare.py\nif [ $? -ne 0 ]; then\n  echo 0 > ${R}\n  exit 0\nfi\necho 1 > ${R}\n`,
    trace: "+2:0: python3 /tests/compare.py\n+3:1: '[' 1 -ne 0 ']'\n+4:0: echo 0\n+5:0: exit 0\n",
    reward: '0',
    gates: `reward written at line 4
✗* 2 check: python3 /tests/compare.py [status 1]
     The script did not continue from line 3, where it reads this result.`,
  },
  {
    name: 'Python code in a here-document imports',
    script: `if python3 - <<'PY'\nimport solution\nPY\nthen\n  echo 1 > ${R}\nelse\n  echo 0 > ${R}\nfi\n`,
    trace: '+2:0: python3 -\n+6:0: echo 1\n',
    reward: '1',
    gates: `reward written at line 6
✓* 2 imports: solution.py imports
     solution.py can be imported.`,
  },
  {
    name: 'Python code that asks for more than an import is a check',
    script: `if python3 -c 'import solution; assert solution.answer() == 42'; then\n  echo 1 > ${R}\nelse\n  echo 0 > ${R}\nfi\n`,
    trace: "+2:0: python3 -c 'import solution; assert solution.answer() == 42'\n+5:0: echo 0\n",
    reward: '0',
    gates: `reward written at line 5
✗* 2 check: python3 -c 'import solution; assert solution.answer() == 42'
     The script did not continue from here.`,
  },
  {
    name: 'command -v only asks where pytest is',
    script: `command -v pytest || exit 1\npytest /tests/t.py && echo 1 > ${R}\n`,
    trace: '+2:0: command -v pytest\n+3:0: pytest /tests/t.py\n+3:0: echo 1\n',
    reward: '1',
    gates: `reward written at line 3
✓* 3 tests: t.py passes [status 0]
     The test command succeeded.
~ no-report: pytest at line 3 succeeded but left no report: something ended it early, or it is not pytest.`,
  },
  {
    name: 'a runner behind a launcher that is not there could not run',
    script: `uvx -p 3.13 -w pytest==8.4.1 pytest /tests/t.py\nif [ $? -eq 0 ]; then\n  echo 1 > ${R}\nelse\n  echo 0 > ${R}\nfi\n`,
    trace: "+2:0: uvx -p 3.13 -w pytest==8.4.1 pytest /tests/t.py\n+3:127: '[' 127 -eq 0 ']'\n+6:0: echo 0\n",
    reward: '0',
    gates: `reward written at line 6
!* 2 tests: t.py passes [status 127]
     uvx: command not found in the image.`,
  },
  {
    name: 'a program that is not there is named though if hides its status',
    script: `if gcc -fsyntax-only /app/x.c; then\n  echo 1 > ${R}\nelse\n  echo 0 > ${R}\nfi\n`,
    trace: '+2:0: gcc -fsyntax-only /app/x.c\n+5:0: echo 0\n',
    output: '/tests/test.sh: line 2: gcc: command not found\n',
    reward: '0',
    gates: `reward written at line 5
!* 2 compiles: x.c compiles
     gcc: command not found in the image.`,
  },
  {
    name: 'git diff --quiet asks whether anything was edited',
    script: `if git diff --quiet HEAD -- solution.py; then\n  echo 0 > ${R}\n  exit 0\nfi\necho 1 > ${R}\n`,
    trace: '+2:0: git diff --quiet HEAD -- solution.py\n+3:0: echo 0\n+4:0: exit 0\n',
    reward: '0',
    gates: `reward written at line 3
✗* 2 edited: solution.py was edited
     solution.py is the same as the starter: nothing was edited. @ /app/solution.py:1`,
  },
  {
    name: 'a script that hands over has one gate for it',
    script: 'bash /tests/run.sh\n',
    trace: '+2:0: bash /tests/run.sh\n',
    reward: '0',
    gates: `✗* 2 check: bash /tests/run.sh [status 0]
     Did not lead to a reward: the script leaves the result to this command.`,
  },
  {
    name: 'Python code that names the reward writes it',
    script: `pytest /tests/t.py\npython3 - $? <<'PY'\nimport sys\nopen('${R}', 'w').write(str(int(sys.argv[1] == '0')))\nPY\n`,
    trace: '+2:0: pytest /tests/t.py\n+3:1: python3 - 1\n',
    reward: '0',
    gates: `reward written at line 3
✗* 2 tests: t.py passes [status 1]
     The runner reported failures.`,
  },
  {
    name: 'a process substitution does not end a script under set -e',
    script: `exec > >(tee /tmp/log)\nset -e\npytest /tests/t.py\necho 1 > ${R}\n`,
    trace: '+2:0: exec\n+3:0: set -e\n+4:0: pytest /tests/t.py\n++2:0: tee /tmp/log\n',
    exitCode: 1,
    gates: `next: A verifier should write its reward on every path. Open test.sh at the line that ran last.
✗* 4 tests: t.py passes [status 1]
     The runner reported failures.`,
  },
  {
    name: 'an ERR trap ends the script at the command that failed, and writes its reward',
    script: `on_err() { echo 0 > ${R}; exit 0; }\ntrap on_err ERR\ncp /nowhere /tmp/x\npytest /tests/t.py\necho 1 > ${R}\n`,
    trace: '+3:0: trap on_err ERR\n+4:0: cp /nowhere /tmp/x\n+4:1: on_err\n+2:1: echo 0\n+2:0: exit 0\n',
    reward: '0',
    gates: `reward written at line 2
✗* 4 check: cp /nowhere /tmp/x [status 1]
     Failed, so the ERR trap of the script ended it.
○  5 tests: t.py passes
     Not reached.`,
  },
  {
    name: 'gates after the trace was switched off are not seen',
    script: `set +x\nif pytest /tests/t.py; then\n  echo 1 > ${R}\nfi\n`,
    trace: '+2:0: set +x\n',
    reward: '1',
    gates: `○  3 tests: t.py passes
     Not seen: the script switches its trace off at line 2.
~ trace-off: test.sh switches its trace off at line 2: gates after it are not seen.`,
  },
  {
    name: 'local is followed though bash quotes its value',
    script: `run() {\n  local out=$(pytest /tests/t.py)\n  local rc=$?\n  [ $rc -eq 0 ]\n}\nif run; then echo 1 > ${R}; else echo 0 > ${R}; fi\n`,
    trace:
      "+7:0: run\n++3:0: pytest /tests/t.py\n+3:0: local 'out=2 passed'\n+4:0: local rc=0\n+5:0: '[' 0 -eq 0 ']'\n+7:0: echo 1\n",
    reward: '1',
    gates: `reward written at line 7
✓* 3 tests: t.py passes [status 0]
     The test command succeeded.
~ no-report: pytest at line 3 succeeded but left no report: something ended it early, or it is not pytest.`,
  },
];

describe('gates of verifiers in many styles', () => {
  for (const { name, gates, ...scripted } of STYLES)
    it(name, async () => {
      const text = verdictText(await judgeScripted(scripted));
      assert.equal(text.split('\n').slice(1).join('\n').trimEnd(), gates);
    });
});
