import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

// Test files are worker threads, which share what V8 compiled of Node's own WebAssembly (it strips our types). V8 of
// Node 24 may free a piece of it twice when a thread ends ("Check failed: jit_page.has_value()"), and takes all down.
setFlagsFromString('--no-wasm-code-gc');

// Each test file loads the whole product anew: what Node compiled of it is kept, also for the programs that tests start.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

export default {
  extensions: ['ts'],
  files: ['test/**/*.test.ts', 'plugins/*/test/**/*.test.ts'],
  timeout: '3m',
  concurrency: 2,
};
