/**
 * System calls that a verifier never needs and that lead out of the sandbox's namespaces or deep into the kernel: the
 * host session's keyrings are in no namespace, and the others are what container engines refuse by default as well.
 * Numbers: the kernel's `arch/x86/entry/syscalls/syscall_64.tbl` and `include/uapi/asm-generic/unistd.h`.
 */
const DENIED: Readonly<Record<string, Platform>> = {
  x64: {
    audit: 0xc000003e,
    // 64-bit calls with 32-bit pointers (x32) have numbers of their own from here on.
    from: 0x40000000,
    calls: {
      ...{ add_key: 248, request_key: 249, keyctl: 250 },
      ...{ bpf: 321, perf_event_open: 298, userfaultfd: 323, open_by_handle_at: 304 },
      ...{ init_module: 175, delete_module: 176, finit_module: 313, kexec_load: 246, kexec_file_load: 320 },
      ...{ io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427 },
    },
  },
  arm64: {
    audit: 0xc00000b7,
    from: undefined,
    calls: {
      ...{ add_key: 217, request_key: 218, keyctl: 219 },
      ...{ bpf: 280, perf_event_open: 241, userfaultfd: 282, open_by_handle_at: 265 },
      ...{ init_module: 105, delete_module: 106, finit_module: 273, kexec_load: 104, kexec_file_load: 294 },
      ...{ io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427 },
    },
  },
};

interface Platform {
  /** AUDIT_ARCH of `linux/audit.h`. */
  readonly audit: number;
  /** The first number that is denied with all above it. */
  readonly from: number | undefined;
  readonly calls: Readonly<Record<string, number>>;
}

// Classic BPF, as `linux/bpf_common.h` and `linux/seccomp.h` number it.
const LOAD_WORD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const RETURN = 0x06;
const NUMBER_OFFSET = 0;
const ARCHITECTURE_OFFSET = 4;
const ALLOW = 0x7fff0000;
const REFUSE = 0x00050000;
const EPERM = 1;
const ENOSYS = 38;
const INSTRUCTION_BYTES = 8;

interface Instruction {
  readonly code: number;
  /** Instructions to skip when the comparison holds, and when not. */
  readonly then?: number;
  readonly otherwise?: number;
  readonly value: number;
}

/**
 * The filter for bubblewrap's `--seccomp`; undefined for processors whose numbers are not known here.
 * @param arch as `process.arch`
 */
export function syscallFilter(arch: string): Buffer | undefined {
  const platform = DENIED[arch];
  if (!platform) return undefined;
  const numbers = Object.values(platform.calls);
  const checks: Instruction[] = numbers.map((value, index) => ({
    code: JUMP_EQUAL,
    // Over the checks that follow and the permission, to the refusal.
    then: numbers.length - index,
    value,
  }));
  if (platform.from !== undefined)
    checks.unshift({ code: JUMP_AT_LEAST, then: numbers.length + 1, value: platform.from });
  return assemble([
    { code: LOAD_WORD, value: ARCHITECTURE_OFFSET },
    { code: JUMP_EQUAL, then: 1, value: platform.audit },
    { code: RETURN, value: REFUSE | ENOSYS },
    { code: LOAD_WORD, value: NUMBER_OFFSET },
    ...checks,
    { code: RETURN, value: ALLOW },
    { code: RETURN, value: REFUSE | EPERM },
  ]);
}

function assemble(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * INSTRUCTION_BYTES);
  for (const [index, { code, then = 0, otherwise = 0, value }] of program.entries()) {
    const at = index * INSTRUCTION_BYTES;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(then, at + 2);
    bytes.writeUInt8(otherwise, at + 3);
    bytes.writeUInt32LE(value, at + 4);
  }
  return bytes;
}
