import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

// Test files are worker threads, which share what V8 compiled of Node's own WebAssembly (it strips our types). V8 of
// Node 24 may free a piece of it twice when a thread ends ("Check failed: jit_page.has_value()"), and takes all down.
setFlagsFromString('--no-wasm-code-gc');

// Each test file loads the whole product anew: what Node compiled of it is kept, also for the programs that tests start.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

// CI has 30 minutes: there, what says nothing about a database, or says it on each of them in another test, runs once.
const under = (folder, names) => names.split(' ').map((each) => `!test/${folder}/${each}.test.ts`);
const onSqliteOnly = [
  ...['rules', 'docs', 'api-docs', 'plugins-guide'].map((each) => `!test/${each}.test.ts`),
  ...under('browser', 'console-assets console-billing console-desk console-directory console-pages console-tickets'),
  ...under('browser', 'budgets every-page faults jobs portal-day widget'),
  ...under('core', 'address address-range bench cache characters config connections csv demo derived egress gather'),
  ...under('core', 'guess http http-body http-errors http-forgery http-rate input ip json key lanes limit limiter log'),
  ...under('core', 'metrics new-plugin openapi password pdf pdf-turns plain-noun search-pauses serialise server'),
  ...under('core', 'callers-names growing-texts http-once-bounds log-secrets mail'),
  ...under('core', 'sqlite-watch thread-priority token turns validate vault web'),
  ...under('helpdesk', 'assistant-injections'),
  ...under('faults', 'backup chat-answers early-stop reports uploads webhooks'),
];
/** Faults of several processes, which share a server more often than a file. */
const onServerOnly = under('faults', 'chats deliveries numbers recurring revocation rolling-restart');
const everything = !process.env.CI || process.env.FAULTS === 'full';
const left = everything ? [] : process.env.TEST_DATABASE_URL ? onSqliteOnly : onServerOnly;

export default {
  extensions: ['ts'],
  files: ['test/**/*.test.ts', 'plugins/*/test/**/*.test.ts', ...left],
  timeout: '3m',
  concurrency: 2,
};
