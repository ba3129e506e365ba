import assert from 'node:assert/strict';
import { syscallFilter } from '../../../../../src/runtime/sandbox/jail/syscallFilter.ts';

const X86_64 = 0xc000003e;
const ARM64 = 0xc00000b7;
const I386 = 0x40000003;
const ALLOWED = 0x7fff0000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;

describe('the filter of system calls', () => {
  it('refuses the keyrings and lets ordinary calls through, on both processors', () => {
    for (const [arch, audit, keyctl, getpid] of [
      ['x64', X86_64, 250, 39],
      ['arm64', ARM64, 219, 172],
    ] as const) {
      const filter = filterOf(arch);
      assert.equal(answer(filter, audit, keyctl), EPERM, arch);
      assert.equal(answer(filter, audit, getpid), ALLOWED, arch);
      assert.equal(answer(filter, audit, 427), EPERM, `${arch}: the last of the list`);
    }
  });

  it('refuses the second set of numbers of 64-bit processors, and calls of another processor', () => {
    assert.equal(answer(filterOf('x64'), X86_64, 0x40000000 + 39), EPERM);
    assert.equal(answer(filterOf('x64'), I386, 20), ENOSYS);
  });

  it('is left out where the numbers are not known', () => {
    assert.equal(syscallFilter('riscv64'), undefined);
  });

  function filterOf(arch: string): Buffer {
    const filter = syscallFilter(arch);
    assert.ok(filter);
    return filter;
  }

  /** Runs the filter as the kernel does; only the instructions that it is made of. */
  function answer(filter: Buffer, audit: number, call: number): number {
    let accumulator = 0;
    for (let at = 0; at < filter.length; at += 8) {
      const value = filter.readUInt32LE(at + 4);
      const jump = (holds: boolean): void => {
        at += 8 * filter.readUInt8(at + (holds ? 2 : 3));
      };
      switch (filter.readUInt16LE(at)) {
        case 0x20:
          accumulator = value === 4 ? audit : call;
          break;
        case 0x15:
          jump(accumulator === value);
          break;
        case 0x35:
          jump(accumulator >= value);
          break;
        case 0x06:
          return value;
        default:
          assert.fail(`unknown instruction at ${at}`);
      }
    }
    return assert.fail('the filter has no end');
  }
});
