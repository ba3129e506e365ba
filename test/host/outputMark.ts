// What tells the output of tests from all else that a workbench writes to its console.

/** Starts each line (or block) that a suite inside VS Code prints. */
export const OUTPUT_MARK = '[test] ';
