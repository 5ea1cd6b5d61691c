// Groups test files. A full run loads the product once per group of files instead of once per file.
import { globSync } from 'node:fs';

/** Files that need their own process, and why. */
const alone: Readonly<Record<string, string>> = {
  'test/core/s3-server.test.ts': 'starts an S3 server, which changes the process',
  'test/core/pdf.test.ts': 'counts worker threads and memory',
};

/** Files that no other may disturb, and why. They share processes, but run one after another. */
const undisturbed: Readonly<Record<string, string>> = {
  'test/core/bad-input.test.ts': 'watches how long each answer takes',
  'test/admin/backup.test.ts': 'measures how long the event loop is held',
  'test/admin/discovery-sync.test.ts': 'measures how long the event loop is held',
  'test/admin/mailbox-large.test.ts': 'measures how long the event loop is held',
  'test/core/backup.test.ts': 'writes as fast as it can while a backup is made',
  'test/core/held-by-files.test.ts': 'measures how long the event loop is held',
  'test/core/held-loop.test.ts': 'measures how long the event loop is held',
  'test/core/mail-hostile.test.ts': 'measures how long the event loop is held',
  'test/core/frozen-database.test.ts': 'measures how long each answer takes while a connection is frozen',
  'test/core/guess.test.ts': 'shares keys in Redis with nobody else',
  'test/core/nodes.test.ts': 'waits for a node at most as long as a request, so nothing else may hold its thread',
  'test/core/limiter.test.ts': 'shares keys in Redis with nobody else',
  'test/core/server.test.ts': 'holds the event loop for seconds',
  'test/core/sqlite-watch.test.ts': 'measures the CPU time of reads',
  'test/core/pdf-turns.test.ts': 'counts worker threads',
  'test/tenants.test.ts': 'asks servers that wait ten seconds for a request, so nothing else may hold its thread',
};

/** Groups of a full run, the longest first: folders, and the number of parts of each. Parts take about equally long. */
export const groups: Readonly<Record<string, number>> = {
  browser: 2,
  faults: 1,
  undisturbed: 2,
  core: 2,
  rest: 1,
  admin: 2,
  helpdesk: 1,
  crm: 1,
};

const folders: Readonly<Record<string, readonly string[]>> = {
  rest: ['test/*.test.ts', 'plugins/*/test/**/*.test.ts'],
  undisturbed: Object.keys(undisturbed),
};

// Tests that do not depend on the database, or whose database behaviour another test covers, run on SQLite only.
const under = (folder: string, names: string) => names.split(' ').map((each) => `test/${folder}/${each}.test.ts`);
const onSqliteOnly = [
  ...['rules', 'docs', 'api-docs', 'plugins-guide', 'guards', 'sbom'].map((each) => `test/${each}.test.ts`),
  ...under(
    'browser',
    'console-assets console-backup console-billing console-desk console-directory console-dispatch console-levels',
  ),
  ...under(
    'browser',
    'console-mail console-outages console-pages console-planned console-projects console-reports console-settings console-ticket-facts console-tickets dispatcher',
  ),
  ...under('browser', 'budgets every-page faults firefox long-lists portal-day queue widget'),
  'test/admin/calendar-feeds.test.ts',
  'test/admin/invoice-lines.test.ts',
  'test/admin/mail-encryption.test.ts',
  'test/admin/mailbox-corpus.test.ts',
  'test/docs-commands.test.ts',
  'test/switched-off.test.ts',
  'test/words.test.ts',
  'test/browser/languages.test.ts',
  ...under('core', 'address address-range bench cache characters config connections csv demo derived egress gather'),
  ...under(
    'core',
    'guess http http-body http-errors http-forgery http-rate input ip json json-text key lanes limit limiter log',
  ),
  ...under(
    'core',
    'metrics new-plugin openapi password pdf pdf-turns plain-noun recurrence redis-sentinel search-pauses serialise server',
  ),
  ...under('core', 'callers-names growing-texts http-once-bounds log-secrets mail own-key plugins webhook'),
  ...under('core', 'beside-demo cli kubernetes new-noun service tenant-commands'),
  ...under('core', 'abreast child cron each-apart id import-forms kept-secret level-clocks mail-words plugin-errors'),
  ...under('core', 'resolve-imports work-limit working-time'),
  ...under('core', 'held-by-files mail-hostile sqlite-watch thread-priority token turns validate vault web'),
  ...under('helpdesk', 'assistant-injections'),
  ...under('faults', 'database-tls early-stop'),
];
/** Fault tests of every run; the others run only in a full one, because each kills processes for a minute. */
const everyRun = new Set(under('faults', 'database-tls kill early-stop'));
const complete = process.env['FAULTS'] === 'full';
const seldom = complete ? [] : globSync('test/faults/*.test.ts').filter((each) => !everyRun.has(each));
const left = new Set(complete || !process.env['TEST_DATABASE_URL'] ? seldom : [...onSqliteOnly, ...seldom]);

/** Returns the files of one part of a group. */
export function filesOf(group: string, part: number): string[] {
  const files = globSync(folders[group] ?? [`test/${group}/*.test.ts`])
    .toSorted()
    .filter((each) => each in undisturbed === (group === 'undisturbed') && !left.has(each) && !(each in alone));
  return files.filter((_, at) => at % (groups[group] ?? 1) === part - 1);
}

/** Returns the files that a full run passes to AVA: one per part, and the standalone ones. */
export function wholeRun(): string[] {
  const parts = Object.entries(groups).flatMap(([group, count]) =>
    Array.from({ length: count }, (_, at) => at + 1)
      .filter((part) => filesOf(group, part).length > 0)
      .map((part) => `test/all/${group}-${part}.test.ts`),
  );
  return [...parts, ...Object.keys(alone).filter((each) => !left.has(each))];
}
