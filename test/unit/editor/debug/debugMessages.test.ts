// The wire to a debugger in a container: what may pass in either direction.
import assert from 'node:assert/strict';
import { type DebugMessage, fromDebugger, fromEditor } from '../../../../src/editor/debug/debugMessages.ts';

const PATHS = {
  shared: ['/app/solution.py'],
  toContainer: (shown: string) => (shown === '/host/solution.py' ? '/app/solution.py' : undefined),
  toShown: (path: string) => (path === '/app/solution.py' ? '/host/solution.py' : undefined),
};

describe('what a debugger may say', () => {
  const said = (message: object): DebugMessage | undefined => {
    const passed = fromDebugger({ seq: 1, ...message }, PATHS);
    return passed.to === 'editor' ? passed.message : undefined;
  };

  for (const command of ['runInTerminal', 'startDebugging', 'anythingElse'])
    it(`never asks for ${command}`, () => {
      const passed = fromDebugger({ seq: 7, type: 'request', command, arguments: { args: ['sh'] } }, PATHS);
      assert.deepEqual(passed, {
        to: 'debugger',
        message: {
          type: 'response',
          seq: 0,
          request_seq: 7,
          command,
          success: false,
          message: 'Repair Bench runs nothing that a container asks for.',
        },
      });
    });

  it('shows no link, no command and no notification of an error', () => {
    const answer = said({
      type: 'response',
      request_seq: 3,
      command: 'evaluate',
      success: false,
      message: 'raw [x](command:y)',
      body: {
        error: {
          id: 9,
          format: 'see [this](command:workbench.action.quit) {there}',
          url: 'command:workbench.action.quit',
          urlLabel: 'Quit',
          showUser: true,
        },
      },
    });
    assert.deepEqual(answer, {
      type: 'response',
      seq: 0,
      request_seq: 3,
      command: 'evaluate',
      success: false,
      message: 'see [this] (command:workbench.action.quit) {there}',
      body: {
        error: { id: 0, format: 'see [this] (command:workbench.action.quit) {there}', showUser: false },
      },
    });
  });

  it('prints to the console and nowhere else', () => {
    const output = (category: string): unknown =>
      said({ type: 'event', event: 'output', body: { category, output: 'x' } })?.['body'];
    assert.deepEqual(output('important'), { category: 'console', output: 'x' });
    assert.deepEqual(output('stderr'), { category: 'stderr', output: 'x' });
    assert.equal(output('telemetry'), undefined);
  });

  it('keeps the end of a traceback, and its lines', () => {
    const format = `${'x'.repeat(5000)}\nKeyError: {'a': 1}\u001b[2J`;
    const answer = said({ type: 'response', request_seq: 1, success: false, body: { error: { format } } });
    const message = String(answer?.['message']);
    assert.equal(message.length, 4000);
    assert.ok(message.endsWith("x\nKeyError: {'a': 1}"));
  });

  it('puts no command into the hover of a breakpoint, adds none and deletes none', () => {
    const message = 'x\n ```\n[click](command:workbench.action.quit)';
    const breakpoint = { id: 3, verified: true, line: 7, message, extra: 'y' };
    const plain = {
      id: 3,
      verified: true,
      line: 7,
      message: "x  ''' [click] (command:workbench.action.quit)",
    };
    for (const command of ['setBreakpoints', 'setFunctionBreakpoints', 'setExceptionBreakpoints']) {
      const answer = said({
        type: 'response',
        request_seq: 1,
        command,
        success: true,
        body: { breakpoints: [breakpoint, 7] },
      });
      assert.deepEqual(answer?.['body'], { breakpoints: [plain, { verified: false }] });
    }
    const told = (reason: string): unknown =>
      said({ type: 'event', event: 'breakpoint', body: { reason, breakpoint } })?.['body'];
    assert.deepEqual(told('changed'), { reason: 'changed', breakpoint: plain });
    assert.equal(told('new'), undefined);
    assert.equal(told('removed'), undefined);
  });

  it('leaves nothing to be evaluated in another session but names', () => {
    const variable = (evaluateName: unknown): object => ({ name: 'x', value: '1', evaluateName });
    const shown = (evaluateName: unknown): unknown =>
      said({
        type: 'response',
        request_seq: 1,
        command: 'variables',
        success: true,
        body: {
          variables: [{ ...variable(evaluateName), __vscodeVariableMenuContext: 'm', memoryReference: '1' }],
        },
      })?.['body'];
    for (const name of ['x', 'x.y', 'x[0]', "x['a b'].c", 'x[-1]["k"]'])
      assert.deepEqual(shown(name), { variables: [variable(name)] });
    for (const name of ['f()', '__import__("os").system("x")', 'x[f()]', "x['a\\']", 'x'.repeat(201), 7])
      assert.deepEqual(shown(name), { variables: [{ name: 'x', value: '1' }] });
  });

  it('ends once, and does not ask to be started again', () => {
    const ended = said({ type: 'event', event: 'terminated', body: { restart: true } });
    assert.deepEqual(ended, { type: 'event', seq: 0, event: 'terminated' });
  });

  it('can do only what is passed on', () => {
    const answer = said({
      type: 'response',
      request_seq: 1,
      command: 'initialize',
      success: true,
      body: {
        supportsSetVariable: true,
        supportsRestartRequest: true,
        supportsDisassembleRequest: true,
        supportsReadMemoryRequest: true,
        exceptionBreakpointFilters: [{ filter: 'raised', label: '$(x) Raised', default: false, more: {} }, 7],
      },
    });
    assert.deepEqual(answer?.['body'], {
      supportsSetVariable: true,
      exceptionBreakpointFilters: [{ filter: 'raised', label: '$\u2060(x) Raised', default: false }],
    });
  });

  it('sends no event that the protocol or we do not know', () => {
    for (const event of ['progressStart', 'debugpyAttach', 'constructor', 'capabilities', 'memory', 7])
      assert.equal(said({ type: 'event', event, body: {} }), undefined);
    for (const value of [undefined, null, 7, 'x', [], { type: 'other' }, {}])
      assert.deepEqual(fromDebugger(value, PATHS), { to: 'nobody' });
  });

  it('names files of the task, text that it hands out, and no file of the host', () => {
    const frames = [
      { id: 1, source: { path: '/app/solution.py', sourceReference: 0 } },
      { id: 2, source: { path: '/usr/lib/python3/json/decoder.py', sourceReference: 4, origin: 'o' } },
      { id: 3, source: { path: '/etc/passwd', name: '/etc/passwd', sourceReference: 0 } },
      { id: 4, source: { path: 'command:workbench.action.quit', adapterData: {} } },
      { id: 5, source: 'file:///etc/passwd', instructionPointerReference: '0x1' },
      { id: 6, location: { path: '/etc/passwd' } },
    ];
    const answer = said({ type: 'response', request_seq: 1, success: true, body: { stackFrames: frames } });
    assert.deepEqual(answer?.['body'], {
      stackFrames: [
        { id: 1, source: { name: 'solution.py', path: '/host/solution.py', sourceReference: 0 } },
        {
          id: 2,
          source: { name: 'decoder.py', path: '/usr/lib/python3/json/decoder.py', sourceReference: 4 },
        },
        { id: 3, source: { name: 'passwd', presentationHint: 'deemphasize' } },
        { id: 4, source: { name: 'command_workbench.action.quit', presentationHint: 'deemphasize' } },
        { id: 5, source: undefined },
        { id: 6 },
      ],
    });
  });

  it('is cut where it is nested deeper than any message', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`);
    const answer = said({ type: 'response', request_seq: 1, success: true, body: deep });
    assert.ok(JSON.stringify(answer).length < 200);
  });
});

describe('what an editor may ask', () => {
  const asked = (command: string, args: object): unknown =>
    fromEditor({ type: 'request', seq: 5, command, arguments: args }, PATHS);

  it('offers the debugger nothing to run on the host', () => {
    assert.deepEqual(asked('initialize', { clientID: 'vscode', supportsRunInTerminalRequest: true }), {
      to: 'debugger',
      message: {
        type: 'request',
        seq: 5,
        command: 'initialize',
        arguments: {
          clientID: 'vscode',
          supportsRunInTerminalRequest: false,
          supportsStartDebuggingRequest: false,
          supportsProgressReporting: false,
          supportsMemoryReferences: false,
        },
      },
    });
  });

  it('attaches with arguments of its own', () => {
    const passed = fromEditor(
      { type: 'request', seq: 5, command: 'attach', arguments: { token: 'secret', connect: {} } },
      PATHS,
    );
    assert.equal(passed.to, 'debugger');
    assert.doesNotMatch(JSON.stringify(passed.message), /secret|connect/);
    assert.match(JSON.stringify(passed.message), /"localRoot":"\/app\/solution\.py"/);
  });

  it('sets breakpoints in files that both have', () => {
    const args = { source: { path: '/host/solution.py' }, breakpoints: [{ line: 3 }] };
    assert.deepEqual(asked('setBreakpoints', args), {
      to: 'debugger',
      message: {
        type: 'request',
        seq: 5,
        command: 'setBreakpoints',
        arguments: { source: { path: '/app/solution.py' }, breakpoints: [{ line: 3 }] },
      },
    });
  });

  it('tells no container of other files, and says that they are not there', () => {
    const args = { source: { path: '/home/me/other.py' }, breakpoints: [{ line: 3 }, { line: 4 }] };
    const unverified = { verified: false, message: 'This file is not in the container.' };
    assert.deepEqual(asked('setBreakpoints', args), {
      to: 'editor',
      message: {
        type: 'response',
        seq: 0,
        request_seq: 5,
        command: 'setBreakpoints',
        success: true,
        body: { breakpoints: [unverified, unverified] },
      },
    });
  });

  it('is answered here when the session ends, and when it is not about Python', () => {
    for (const command of ['disconnect', 'terminate'])
      assert.deepEqual(asked(command, {}), {
        to: 'editor',
        message: { type: 'response', seq: 0, request_seq: 5, command, success: true },
      });
    for (const command of ['disassemble', 'readMemory', 'restart', 'pydevdSystemInfo'])
      assert.deepEqual(asked(command, {}), {
        to: 'editor',
        message: {
          type: 'response',
          seq: 0,
          request_seq: 5,
          command,
          success: false,
          message: 'Repair Bench does not pass this on to a debugger in a container.',
        },
      });
  });

  it('asks for the text of what the debugger handed out', () => {
    const args = { source: { path: '/usr/lib/x.py', sourceReference: 4 }, sourceReference: 4 };
    const message = { type: 'request', seq: 5, command: 'source', arguments: args };
    assert.deepEqual(asked('source', args), { to: 'debugger', message });
  });
});
