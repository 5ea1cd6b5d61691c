import { join, relative } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { wholeRun } from './test/all/_files.ts';

// Test files are worker threads, which share the compiled code of Node's own WebAssembly (it strips our types). V8 in
// Node 24 may free a piece of it twice when a thread ends ("Check failed: jit_page.has_value()"), which crashes the
// whole process.
setFlagsFromString('--no-wasm-code-gc');

// Each test file loads the whole product anew, so cache Node's compiled code, including for programs that tests start.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

// `npx ava test/core/list.test.ts` runs that file; without a path everything runs, in groups.
const chosen = process.argv.slice(2).some((each) => /^[^-].*(?:\/|\.ts$)/.test(each));

const inOrder = wholeRun();
/** The longest first: at the end, no file runs alone. */
const position = (path) => inOrder.indexOf(relative(import.meta.dirname, path));

export default {
  extensions: ['ts'],
  require: ['./test/all/_hook.ts'],
  files: chosen ? ['test/**/*.test.ts', 'plugins/*/test/**/*.test.ts'] : inOrder,
  sortTestFiles: (one, other) => position(one) - position(other),
  timeout: '3m',
  // One more than there are cores, because tests also wait for browsers, servers and other processes.
  concurrency: 3,
};
