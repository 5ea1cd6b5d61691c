// Checks rules the compiler cannot: allowed imports, and where time, settings, SQL and state may be used
// (docs/architecture.md).
import { execFile } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { loadInstallation } from '../core/plugin/load/load.ts';
import type { Loaded } from '../core/plugin/load/loaded.ts';
import { makeFolder } from './_folder.ts';
import { browserSources, importsOf, places, root, sourcesOf, type Source } from './_source.ts';

/** The libraries that core is built on, from bottom to top; each may import only those before it. */
const beneathCore = ['kit', 'database', 'list', 'security', 'log', 'server', 'events', 'mail'];
const packages = sourcesOf(['packages']);
const core = sourcesOf(['core']);
const config = sourcesOf(['config']);
const extensions = sourcesOf(['modules', 'plugins']);
const all = [...packages, ...core, ...config, ...extensions];
const { loaded } = await loadInstallation('plugins');

/** Exceptions with their reasons. An exception its path no longer needs fails the test. */
type Exceptions = Readonly<Record<string, string>>;

const settingsFromElsewhere: Exceptions = {
  'packages/testing/database.ts': 'the server of a test run is not a setting of an installation',
  'packages/web-build/bundle.ts': 'what libraries for browsers read instead',
};
const importsBesides: Exceptions = {
  'modules/assets/import/import-command.ts': 'reads the file named on the command line',
  'modules/dispatch/feeds/address.ts': 'compares the secret address of a calendar feed',
  'modules/dispatch/feeds/feeds.ts': 'hashes what it sends, as its ETag',
  'modules/dispatch/ics.ts': 'the only code that writes iCalendar files',
  'modules/demo/place.ts': 'creates and empties the demo’s own folder',
  'modules/demo/demo.ts': 'likewise',
  'modules/demo/seed/seed.ts': 'shows its progress; no other code seeds 100,000 rows',
  'modules/billing/money.ts': 'the only code that calculates with exact decimals',
  'modules/desk/push/keys.ts': 'makes the key pair of Web Push',
  'modules/desk/push/subscriptions.ts': 'recognises a browser by the hash of its address',
  'modules/desk/push/web-push.ts': 'the only code that speaks Web Push',
  'modules/desk/push/worker-script.ts': 'reads the service worker, which browsers load',
  'modules/kb/text/markdown.ts': 'the only code that caches rendered text',
  'modules/kb/articles/versions.ts': 'the only code that compares two texts line by line',
  'modules/levels/calendars/ics.ts': 'the only code that reads iCalendar files',
  'modules/mailbox/parse/read-mail.ts': 'the only code that keeps mails in memory',
  'modules/planned/recurring/rule.ts': 'the only code that computes recurrence rules',
  'modules/mailbox/servers/imap.ts': 'the only code that speaks IMAP',
  'modules/mailbox/parse/apart.ts': 'reads few mails at once, in child processes',
  'modules/mailbox/parse/parse.ts': 'the only code that parses mails',
  'modules/mailbox/judge/verdict.ts': 'compares domains in their ASCII form, in a process that loads nothing of core',
  'modules/mailbox/parse/html-text.ts': 'likewise',
  'modules/mailbox/parse/charset.ts': 'likewise',
  'modules/mailbox/messages/original-html.ts': 'the only code that shows mails as they were written',
  'modules/mailbox/messages/original.ts': 'likewise',
  'modules/mailbox/messages/open-mail.ts': 'likewise',
  'modules/mailbox/servers/tokens.ts': 'the only code that refreshes the tokens of mailboxes',
  'modules/mailbox/servers/consent.ts': 'the only code that signs in to mailboxes',
  'modules/mailbox/servers/receive.ts': 'fingerprints mails without a Message-ID',
  'modules/mailbox/servers/secrets.ts': 'hashes the secrets that are compared',
  'modules/accounts/factors/totp.ts': 'the only code that checks codes of authenticator apps',
  'modules/accounts/oauth/oidc.ts': 'the only code that speaks OpenID Connect',
  'modules/accounts/sessions/token.ts': 'the only code that signs access tokens',
  'modules/reports/google/service-account.ts': 'the only code that signs in to Google',
  'modules/system/branding/picture.ts': 'the only code that parses pictures',
  'modules/widget/browser-script.ts': 'reads the widget’s script, which other sites load',
};
const timersOfModules: Exceptions = {
  'modules/live/live.ts': 'polls for open streams once a second; no job runs that often',
  'modules/live/changes.ts': 'measures how long ids are missing, likewise',
  'modules/live/listener.ts': 'measures how long a client lags; never stored in a record',
};
const writesOfOthers: Exceptions = {
  'modules/demo/seed/seed.ts': 'creates 100,000 tickets in batches',
};
const joinsOfOthers: Exceptions = {};
/** Files that may write rows of recorded tables without create, change and remove (core/record), and why. */
const writtenByHand: Exceptions = {
  'modules/reports/schedules/replan.ts': 'plans schedules in another time zone, not a change of the report',
  'modules/levels/calendars/holiday-feed.ts': 'records when an address was read, not a change of the calendar',
  'modules/levels/replan.ts': 'records when tickets are replanned, not a change of the policy',
  'modules/teams/assignment/assign.ts': 'records whose turn it was, not a change of the team',
  'modules/planned/recurring/create-due.ts': 'records what was created and when the next is due',
  'modules/mailbox/mailboxes/mailboxes.ts': 'seals the password, which requires the id',
  'modules/accounts/keys/key-warning.ts': 'records that a warning was sent, not a change of the key',
  'modules/accounts/keys/keys.ts':
    'a revoked key is kept, because others are checked against it; the log calls it deleted',
  'modules/accounts/keys/live-key.ts': 'records the last use',
  'modules/assets/import/batch.ts': 'imports insert many rows, with one log line for each batch',
  'modules/assets/parts/remove-parts.ts': 'an asset’s parts are deleted with it, under its log line',
  'modules/assets/discovered/discovered.ts': 'scans add many assets at once, and record when assets were seen',
  'modules/assets/discovered/found-parts.ts': 'scans find many ports at once',
  'modules/backup/states/states.ts': 'the machines of a deleted company are retired with it',
  'modules/backup/records/store-records.ts': 'tools report every night, not a change that anyone made',
  'modules/crm/history.ts': 'activities and notes are deleted with their record, under its log line',
  'modules/crm/leads/convert-lead.ts': 'a conversion is a separate event, not a change that callers may make',
  'modules/crm/prospects/convert-prospect.ts': 'likewise',
  'modules/crm/unlink.ts': 'links to a deleted record are cleared as part of its deletion',
  'modules/demo/seed/seed.ts': 'creates 100,000 tickets in batches',
  'modules/directory/companies/companies.ts': 'the groups of a deleted company are deleted with it',
  'modules/directory/employees/addresses.ts': 'a deleted contact’s addresses are deleted with it, under its log line',
  'modules/directory/employees/employee-batch.ts': 'imports insert many rows, with one log line for each batch',
  'modules/directory/groups/group-people.ts': 'the timestamp of a group whose people changed',
  'modules/directory/groups/memberships.ts': 'likewise',
  'modules/directory/sign-in/passwords.ts': 'hashes and ended sessions, which must not be logged',
  'modules/directory/technicians/technicians.ts': 'records when someone was last active',
  'modules/discovery/collectors/collectors.ts': 'records that a collector was seen, every few seconds',
  'modules/monitoring/alerts.ts': 'counts repeated reports of an alert',
  'modules/inventory/licenses/product-key.ts': 'seals the key, which requires the id',
  'modules/outages/status/services.ts': 'the services of a new installation: no one created them',
  'modules/reports/jobs.ts': 'records when it is next due',
  'modules/reports/schedules/mail-report.ts': 'records when it ran',
  'modules/reports/run.ts': 'likewise',
  'modules/tickets/comments/comments.ts': 'the timestamp of a ticket with a new comment',
  'modules/tickets/ticket/create.ts': 'the number comes from the allocator, and the row is written with the commit',
  'modules/tickets/ticket/tickets.ts': 'links to a deleted parent are cleared as part of its deletion',
  'modules/tickets/figures/outcome.ts': 'records whether an SLA was met, not a change that anyone made',
  'modules/webhooks/health.ts': 'records how deliveries ended',
  'modules/webhooks/jobs.ts': 'records that the data of a deleted webhook has been removed',
  'modules/webhooks/webhooks.ts': 'seals the secret, which requires the id',
  'modules/workflows/jobs.ts': 'records when it is next due',
  'modules/workflows/runs/runs.ts': 'runs are written by the engine, and are a log themselves',
  'modules/workflows/definitions/workflows.ts': 'seals the secrets of its actions, which requires the id',
};
const sqlAsText: Exceptions = {
  'packages/database/statement/statement.ts': 'builds the statements of rows from declared tables',
  'packages/database/sqlite/sqlite.ts': 'pragmas of the driver',
  'packages/database/sqlite/sqlite-driver.ts': 'pragmas of the driver',
  'packages/database/sqlite/sqlite-engine.ts': 'checks that the driver responds',
  'packages/database/mysql/mysql.ts': 'checks that the server responds',
  'packages/database/mysql/mysql-nodes.ts': 'checks whether a node is ready',
  'packages/database/mysql/mysql-server.ts': 'session settings of the driver',
  'packages/database/migration/migrate.ts': 'schema changes, through TypeORM’s own runner',
  'packages/database/migration/create-table.ts': 'likewise',
  'packages/database/migration/migrator.ts': 'likewise',
  'packages/database/sqlite/sqlite-runner.ts': 'likewise',
  'packages/backup/database/snapshot.ts':
    'reads whole tables outside the pool; their names are those of the declared tables',
  'packages/backup/restore.ts': 'fills whole tables outside the pool, likewise',
  'packages/backup/database/stray-tables.ts': 'finds tables outside the pool; the database provides their names',
  'packages/backup/database/used-numbers.ts': 'reads and raises the numbers of whole tables, likewise',
  'packages/backup/database/kept-row.ts': 'reads and writes a row outside the pool; the caller names the table',
  'packages/backup/database/copy-database.ts':
    'copies whole tables outside the pool; the database provides their names',
  'packages/backup/database/live-database.ts': 'swaps whole databases, whose names we generate',
  'packages/testing/database.ts': 'creates and drops a test’s database',
  'packages/testing/database-pool.ts': 'empties test databases, whose names we generate',
};
const importsInCore: Exceptions = {
  'core/process/command/new-plugin.ts': 'part of the test generated for a new plugin',
};
const ofOurs = /^@keelson\//;
const libraries = /^@keelson\/(?:backup|files|mcp|storage|web-build|words(?:\/\w+)?)$/;
/** A file of a library beneath core. */
const beneath = new RegExp(`^@keelson/(?:${beneathCore.join('|')})/(?:[\\w-]+/)*[\\w-]+\\.ts$`);
const randomCases: Exceptions = {
  'test/_random.ts': 'provides the random cases of all other tests',
  'test/faults/_node.ts': 'finds a free port, not a test case',
};
const keyedByName: Exceptions = {
  'modules/crm/leads/leads.ts': 'the fields of a form are stored and shown as a whole',
  'modules/workflows/plans/secrets.ts': 'shown as a whole',
  'modules/workflows/runs/by-hand.ts': 'shown as a whole',
  'modules/workflows/plans/planned-action.ts': 'shown as a whole',
  'modules/directory/companies/company-modules.ts': 'uses Object.hasOwn',
  'modules/system/bootstrap.ts': 'shown as a whole',
  'modules/system/dropdown-lists.ts': 'a body that is iterated; lookups by name use a Map',
  'modules/accounts/sessions/live-session.ts': 'columns of its own statement',
  'modules/accounts/oauth/oidc.ts': 'claims with known names',
  'modules/mailbox/servers/api-client.ts': 'headers of a request, sent as a whole',
  'modules/mailbox/servers/tokens.ts': 'parameters of a request, sent as a whole',
  'modules/reports/engine/rows.ts': 'rows as they are read and returned, by the columns of the report',
};
const remembered: Exceptions = {
  'core/plugin/load/resolve-imports.ts': 'what packages resolve to, for the life of the process',
};

test('a migration is named like its file, which determines order and history', async (t) => {
  const files = globSync('migrations/*.ts').toSorted();
  const names = await Promise.all(files.map(async (file) => (await import(join(root, file))).default.name as string));
  t.deepEqual(
    names,
    files.map((file) => basename(file, '.ts')),
  );
});

test('packages are plain libraries that do not depend on core, except for what tests use', (t) => {
  const plain = packages.filter(({ path }) => !path.startsWith('packages/testing/'));
  const wrong = plain.flatMap((source) => {
    const folder = source.path.split('/').slice(0, 2).join('/');
    return importsOf(source)
      .filter(({ from }) =>
        from.startsWith('.')
          ? !pathOf(source, from).startsWith(`${folder}/`)
          : ofOurs.test(from) && !libraries.test(from) && !(beneath.test(from) && layerOf(source.path) >= 0),
      )
      .map(({ from }) => `${source.path} imports ${from}`);
  });
  t.true(plain.length > 0);
  t.deepEqual(wrong, []);
});

test('the process that reads long mails loads nothing of core, which would take longer than most mails', (t) => {
  const sources = new Map(all.map((each) => [each.path, each]));
  const loads = ['modules/mailbox/parse/parse-process.ts'];
  // Grows while it is read.
  for (const path of loads) {
    const source = sources.get(path);
    for (const { from, names } of source ? importsOf(source) : []) {
      if (names[0] === 'type') continue;
      t.false(from.startsWith('@keelson/core'), `${path} imports ${from}`);
      const next = source && from.startsWith('.') ? pathOf(source, from) : undefined;
      if (next !== undefined && !loads.includes(next)) loads.push(next);
    }
  }
  t.true(loads.length > 3, 'its files are found');
});

test('core imports no module and no plugin', (t) => {
  const allowed = (path: string) =>
    path.startsWith('core/') || path.startsWith('config/') || libraries.test(path) || beneath.test(path);
  const wrong = core.flatMap((source) =>
    importsOf(source)
      .map(({ from }) => (from.startsWith('.') ? pathOf(source, from) : from))
      .filter(
        (from) =>
          ofOurs.test(from) || /^(?:modules|packages|plugins|migrations|test)\//.test(from) || from.startsWith('..'),
      )
      .filter((from) => !allowed(from))
      .map((from) => `${source.path} imports ${from}`),
  );
  t.deepEqual(withoutExceptions(wrong, importsInCore), []);
});

/** What the product consists of, from bottom to top; each may import only itself and those before it. */
const layers = [
  ...beneathCore.map((each) => `packages/${each}`),
  'core/plugin',
  'core/files',
  'core/record',
  'core/search',
  'core/surfaces',
  'core/attachments',
  'core/http',
  'core/web',
  'core/backup',
  'core/process',
];
const layerOf = (path: string) => layers.indexOf(path.split('/').slice(0, 2).join('/'));
/** A file of core with a path of two parts is an entry, which modules import. */
const isEntry = (path: string) => /^core\/\w+\.ts$/.test(path) && core.some((each) => each.path === path);
const layered = [...packages.filter(({ path }) => layerOf(path) >= 0), ...core.filter(({ path }) => !isEntry(path))];

test('core and the libraries beneath it import each other in one direction', (t) => {
  t.deepEqual(
    layered.filter(({ path }) => layerOf(path) < 0).map(({ path }) => path),
    [],
  );
  const upwards = layered.flatMap((source) =>
    importsOf(source)
      .map(({ from }) => fileOf(source, from))
      .filter((path) => path !== undefined && (isEntry(path) || layerOf(path) > layerOf(source.path)))
      .map((path) => `${source.path} imports ${path}`),
  );
  t.deepEqual(upwards, []);
});

test('no files of core and the libraries beneath it import each other in a circle, except for the types of a plugin and its application', (t) => {
  const graph = new Map(
    layered.map((source) => [
      source.path,
      importsOf(source).flatMap(({ from, names }) => {
        const to = fileOf(source, from);
        return to === undefined ? [] : [{ to, types: names[0] === 'type' }];
      }),
    ]),
  );
  // A plugin's functions take a context, whose application lists its plugins.
  const mutual = (path: string) => path.startsWith('core/plugin/');
  const followed = (path: string) =>
    (graph.get(path) ?? []).filter(({ to, types }) => !(types && mutual(path) && mutual(to))).map(({ to }) => to);
  t.deepEqual(circlesOf(graph.keys(), followed), []);
});

test('no files of modules and pages import each other in a circle, except for types: which is loaded first would decide whether they load', (t) => {
  const sources = [...sourcesOf(['modules', 'plugins']), ...browserSources(['modules', 'plugins', 'web'])];
  const graph = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source)
        .filter(({ names }) => names[0] !== 'type')
        .flatMap(({ from }) => (from.startsWith('.') ? pathOf(source, from) : (apiOf(from) ?? []))),
    ]),
  );
  t.true(graph.size > 1000);
  t.deepEqual(
    circlesOf(graph.keys(), (path) => graph.get(path) ?? []),
    [],
  );
});

/** Returns the file of a module that others import. */
function apiOf(from: string): string | undefined {
  const [, id] = /^@keelson\/modules\/([\w-]+)$/.exec(from) ?? [];
  return id === undefined ? undefined : `modules/${id}/api.ts`;
}

/** Returns the circles among files, each as the way from a file to itself. */
function circlesOf(files: Iterable<string>, importedBy: (path: string) => readonly string[]): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path);
    if (start >= 0) circles.push([...way.slice(start), path].join(' → '));
    if (start >= 0 || done.has(path)) return;
    for (const next of importedBy(path)) visit(next, [...way, path]);
    done.add(path);
  };
  for (const path of files) visit(path, []);
  return circles;
}

/** Parts of core, and libraries beside it, that any code may import. */
const subjectsOfCore =
  /^@keelson\/core(?:\/(?:attachments|backup|command|database|events|files|kit|list|log|mail|plugin|record|search|security|surfaces))?$|^@keelson\/(?:files|words\/labels)$/;

/** Modules that administer the product; all others use only what plugins can use. */
const administration = [
  'accounts',
  'demo',
  'directory',
  'discovery',
  'live',
  'mailbox',
  'reports',
  'system',
  'webhooks',
  'widget',
  'workflows',
];

test('a module or plugin imports its own files, core, and what it requires', (t) => {
  const wrong = extensions.flatMap((source) => {
    const { folder, plugin } = ownerOf(source);
    const required = (plugin.requires ?? []).map((id) => `@keelson/modules/${id}`);
    return importsOf(source).flatMap(({ from }) => {
      const own = from.startsWith('.') && pathOf(source, from).startsWith(`${folder}/`);
      const typeorm = from === 'typeorm' && folder.startsWith('plugins/');
      const system = from === '@keelson/core/system' && administration.includes(plugin.id);
      const ofCore = subjectsOfCore.test(from);
      if (own || typeorm || system || ofCore || required.includes(from)) return [];
      return [`${source.path} imports ${from}`];
    });
  });
  t.deepEqual(withoutExceptions(wrong, importsBesides), []);
});

test('@keelson/core/system is imported only by administration modules', (t) => {
  const importers = extensions.filter((source) =>
    importsOf(source).some(({ from }) => from === '@keelson/core/system'),
  );
  t.deepEqual([...new Set(importers.map((source) => ownerOf(source).plugin.id))].toSorted(), administration);
});

/** The constructor of each kind of declaration, and the file where a module keeps it. */
const declarations: Readonly<Record<string, RegExp>> = {
  'entities.ts': /\b(?:table|counterTable)\(/,
  'events.ts': /(?<![.\w])event\(/,
  'permissions.ts': /\b(?:admin|crm)\.permission\(/,
  'subscribers.ts': /(?<![.\w])subscriber\(/,
  'jobs.ts': /(?<![.\w])job\(/,
  'live.ts': /(?<![.\w])liveRecord\(/,
  'settings.ts': /(?<![.\w])setting\(/,
  'dropdowns.ts': /(?<![.\w])dropdown\(/,
  'mail-templates.ts': /(?<![.\w])mailTemplate\(/,
  'attachments.ts': /(?<![.\w])attachments\(/,
  'names.ts': /(?<![.\w])defineNames\(/,
  'search.ts': /(?<![.\w])searchable\(/,
  'reports.ts': /(?<![.\w])reportSource\(/,
  'commands.ts': /(?<![.\w])command\(/,
  'identities.ts': /(?<![.\w])(?:identity|programIdentity)\(/,
  'migrations.ts': /(?<![.\w])migration\(/,
  'workflow-actions.ts': /(?<![.\w])workflowAction\(/,
  'workflow-fields.ts': /(?<![.\w])workflowFields\(/,
  'routes/': /\b(?:admin|crm|helpdesk|pages|programs)\.(?:get|post|put|delete)\(\s*'|(?<![.\w])nounRoutes\(/,
};

// In the module's own folder, or in a noun's: modules/crm/entities.ts, entities/lead.ts, leads/entities.ts.
const declaredIn = (path: string, kind: string): boolean =>
  kind.endsWith('/') ? path.includes(`/${kind}`) : path.endsWith(`/${kind}`) || path.includes(`/${kind.slice(0, -3)}/`);

test('modules keep each kind of declaration in its own file', (t) => {
  const misplaced = Object.entries(declarations).flatMap(([kind, made]) =>
    extensions.filter(({ path }) => !declaredIn(path, kind)).flatMap((source) => places(source, made)),
  );
  t.deepEqual(misplaced, []);
  const folders = new Set(extensions.map((source) => ownerOf(source).folder));
  const paths = new Set(extensions.map(({ path }) => path));
  t.deepEqual(
    [...folders].filter((each) => !paths.has(`${each}/plugin.ts`)),
    [],
  );
});

test('the command line lists commands without loading their code', (t) => {
  const declared = extensions.filter(({ path }) => path.endsWith('/commands.ts'));
  t.deepEqual(loadedBy(declared), ['@keelson/core/command']);
  t.deepEqual(loadedBy(core.filter(({ path }) => path === 'core/process/command/commands.ts')), [
    '../../plugin/declaration/command.ts',
  ]);
  t.deepEqual(loadedBy(core.filter(({ path }) => path === 'core/plugin/declaration/command.ts')), []);
});

test('pages import the kit, React and their own folder; only types of their module', (t) => {
  const pages = browserSources(['modules', 'plugins']);
  t.true(pages.length > 0);
  const wrong = pages.flatMap((source) => {
    const folder = /^.*\/(?:console|portal)(?=\/)/.exec(source.path)?.[0] ?? dirname(source.path);
    const types = importLines(source).filter((each) => each.startsWith('import type '));
    return importsOf(source)
      .filter(({ from }) => {
        if (/^(?:@keelson\/web|react|react-dom)$/.test(from) || from.startsWith('schema:')) return false;
        if (from.startsWith('.') && pathOf(source, from).startsWith(`${folder}/`)) return false;
        const own = from.startsWith('.') && pathOf(source, from).startsWith(`${dirname(folder)}/`);
        return !(own && types.some((each) => each.includes(`'${from}'`)));
      })
      .map(({ from }) => `${source.path} imports ${from}`);
  });
  t.deepEqual(wrong, []);
});

test('the kit and the shells import no module, and no server file imports browser code', (t) => {
  const kit = browserSources(['web']).flatMap((source) =>
    importsOf(source)
      .filter(
        ({ from }) =>
          /^@keelson\/(?!web$|client\/request$|words(?:$|\/))/.test(from) ||
          (from.startsWith('.') && !pathOf(source, from).startsWith('web/')),
      )
      .map(({ from }) => `${source.path} imports ${from}`),
  );
  t.deepEqual(kit, []);
  const server = all.flatMap((source) =>
    importsOf(source)
      .filter(
        ({ from }) =>
          /^@keelson\/web(?:$|\/)|\.tsx$/.test(from) ||
          (from.startsWith('.') && pathOf(source, from).startsWith('web/')),
      )
      .map(({ from }) => `${source.path} imports ${from}`),
  );
  t.deepEqual(server, []);
});

test('pages and mails link to tickets and assets by their numbers', (t) => {
  // An id over 1,000 in an address is taken for the number of another record.
  const inPages = browserSources(['modules']).flatMap((each) => places(each, /\/(?:tickets|assets)\/\$\{[\w.]*_id\}/));
  const served = all.flatMap((each) => places(each, /\/(?:admin|helpdesk)\/(?:tickets|assets)\/\$\{[\w.]*_id\}/));
  t.deepEqual([...inPages, ...served], []);
});

test('api.ts only re-exports', (t) => {
  const apis = extensions.filter(({ path }) => path.endsWith('/api.ts'));
  const rest = apis.map(({ path, code }) => [path, code.replace(/^export (?:type )?\{[^}]*\} from '[^']+';$/gm, '')]);
  t.deepEqual(
    rest.filter(([, code]) => code?.trim() !== ''),
    [],
  );
});

test('a plugin writes only its own tables', (t) => {
  const tables = new Map(
    loaded.flatMap(({ plugin }) => (plugin.entities ?? []).map(({ options }) => [options.name, plugin.id])),
  );
  const wrong = extensions.flatMap((source) => {
    const { plugin } = ownerOf(source);
    const foreign = importsOf(source).filter(({ from }) => from.startsWith('@keelson/modules/'));
    const names = new Set(foreign.flatMap((each) => each.names));
    const calls = places(source, /\.(?:insert|insertMany|append|update|upsert|remove)\(\s*\w+/);
    const records = places(source, /(?<![.\w])(?:create|change|changeAll|remove)\(\s*\w+,\s*\w+/);
    const statements = places(source, /\b(?:INSERT (?:IGNORE )?INTO|UPDATE|DELETE FROM) [a-z_]+/);
    return [
      ...[...calls, ...records].filter((each) => names.has(/\w+$/.exec(each)?.[0] ?? '')),
      ...statements.filter((each) => {
        const owner = tables.get(/\w+$/.exec(each)?.[0] ?? '');
        return owner !== undefined && owner !== plugin.id;
      }),
    ];
  });
  t.deepEqual(withoutExceptions(wrong, writesOfOthers), []);
});

test('recorded tables are written through create, change and remove', (t) => {
  const found = (pattern: RegExp) => extensions.flatMap(({ code }) => [...code.matchAll(new RegExp(pattern, 'g'))]);
  const nouns = new Map(found(/\bconst (\w+) = noun\(\s*(\w+)/).map(([, noun, table]) => [noun, table]));
  const recorded = new Set(found(/= record\(\s*(\w+)/).map(([, of]) => nouns.get(of) ?? of));
  const writes = /\.(?:insert|insertReturningId|append|deferInsert|update|upsert|delete)\(\s*\w+/;
  const bookkeeping = /\bupdateCounters(?:ForNew)?\(/;
  const wrong = extensions.flatMap((source) => [
    ...places(source, writes).filter((each) => recorded.has(/\w+$/.exec(each)?.[0] ?? '')),
    ...places(source, bookkeeping),
  ]);
  t.deepEqual(withoutExceptions(wrong, writtenByHand), []);
});

test('other modules’ tables are read through their api.ts, never named in SQL', (t) => {
  const tables = new Map(
    loaded.flatMap(({ plugin }) => (plugin.entities ?? []).map(({ options }) => [options.name, plugin.id])),
  );
  const wrong = extensions.flatMap((source) => {
    const { plugin } = ownerOf(source);
    return places(source, /\b(?:FROM|JOIN) [a-z_]+/).filter((each) => {
      const owner = tables.get(/\w+$/.exec(each)?.[0] ?? '');
      return owner !== undefined && owner !== plugin.id;
    });
  });
  t.deepEqual(withoutExceptions(wrong, joinsOfOthers), []);
});

test('settings are read in config/ only', (t) => {
  const readers = [...packages, ...core, ...extensions].flatMap((each) => places(each, /\bprocess\.env\b/));
  t.deepEqual(withoutExceptions(readers, settingsFromElsewhere), []);
});

test('modules use neither time nor timers', (t) => {
  const clocks = /\bDate\.now\b|\bnew Date\b|\bperformance\.now\b|\bset(?:Timeout|Interval|Immediate)\b/;
  t.deepEqual(
    withoutExceptions(
      extensions.flatMap((each) => places(each, clocks)),
      timersOfModules,
    ),
    [],
  );
});

test('randomness comes from packages/kit/random.ts', (t) => {
  t.deepEqual(
    all.flatMap((each) => places(each, /\bMath\.random\b/)),
    [],
  );
});

test('random tests draw from test/_random.ts, whose seed is fixed and printed', (t) => {
  const draws =
    /\bimport \{[^}]*\bchance\b[^}]*\} from '[^']*\/kit\/random\.ts'|\bMath\.random\b|\bfc\.(?:assert|check|sample|statistics)\(|(?:from|import\() ?'(?:@fast-check\/ava|fast-check)'/;
  const tests = sourcesOf(['test', 'bench', 'modules', 'plugins'], { tests: true });
  t.deepEqual(
    withoutExceptions(
      tests.flatMap((each) => places(each, draws)),
      randomCases,
    ),
    [],
  );
});

test('browser tests intercept requests with test/browser/_intercept.ts, which waits until the browser really does', (t) => {
  const tests = sourcesOf(['test'], { tests: true }).filter(({ path }) => !path.endsWith('/_intercept.ts'));
  t.deepEqual(
    tests.flatMap((each) => places(each, /(?<!\bcontext)\.route\(/)),
    [],
  );
});

test('tests limit their time only where they need more than the three minutes of ava.config.js', (t) => {
  const tests = sourcesOf(['test', 'plugins'], { tests: true });
  const limits = tests.flatMap((each) => places(each, /\bt\.timeout\([\d_]+\)/));
  t.true(limits.length > 0);
  t.deepEqual(
    limits.filter((each) => Number(each.replace(/^.*\(|[)_]/g, '')) <= 180_000),
    [],
  );
});

test('names are looked up in a Dictionary or a Map, not in an object that inherits constructor and toString', (t) => {
  t.deepEqual(
    withoutExceptions(
      extensions.flatMap((each) => places(each, /\bRecord<string,|\[\w+: string\]:/)),
      keyedByName,
    ),
    [],
  );
});

test('the linter detects lookups in objects with a prototype', async (t) => {
  const folder = makeFolder(t);
  const lint = async (code: string): Promise<string[]> => {
    writeFileSync(join(folder, 'code.ts'), code);
    const args = ['-c', join(root, '.oxlintrc.json'), '-f', 'json', join(folder, 'code.ts')];
    const { stdout } = await promisify(execFile)(join(root, 'node_modules/.bin/oxlint'), args).catch(
      (failed: { stdout: string }) => failed,
    );
    const { diagnostics }: { diagnostics: { code: string }[] } = JSON.parse(stdout);
    return diagnostics.map(({ code: rule }) => rule).filter((rule) => rule.includes('inherited'));
  };
  t.is((await lint('export const has = (name: string, of: object) => name in of;')).length, 1);
  t.is((await lint('export const a: Record<string, number> = {};')).length, 1);
  t.is((await lint('export const a: Readonly<Record<string, number>> = {};')).length, 1);
  t.deepEqual(await lint("export const has = (of: object) => 'code' in of && Object.hasOwn(of, 'x');"), []);
  t.deepEqual(await lint("export const a: Record<'one' | 'two', number> = { one: 1, two: 2 };"), []);
});

test('SQL is written with the sql tag', (t) => {
  const text =
    /(?<!\bsql)(?:'|"|`)\s*(?:SELECT|INSERT (?:IGNORE )?INTO|UPDATE \w+ SET|DELETE FROM|WITH \w+ AS|ALTER TABLE|CREATE (?:TABLE|DATABASE|UNIQUE|INDEX)|DROP|TRUNCATE|PRAGMA|SET SESSION)\b/;
  t.deepEqual(
    withoutExceptions(
      all.flatMap((each) => places(each, text)),
      sqlAsText,
    ),
    [],
  );
  // Sort orders come from declarations; TypeORM's builders take them as raw text.
  t.deepEqual(
    all.flatMap((each) => places(each, /\.(?:orderBy|addOrderBy)\(/)),
    [],
  );
});

test('no code is generated from text', (t) => {
  t.deepEqual(
    all.flatMap((each) => places(each, /\bnew Function\b/)),
    [],
  );
});

test('module-level state is constant', (t) => {
  const bindings = all.flatMap((each) => places(each, /^(?:export )?(?:let|var) \w+/m));
  t.deepEqual(bindings, []);
  t.deepEqual(withoutExceptions(all.flatMap(mutableCollections), remembered), []);
});

test('only route.ts and table.ts cast to any', (t) => {
  const casts = [...layered, ...extensions].flatMap((each) =>
    places(each, /\bas any\b|@ts-(?:ignore|expect-error|nocheck)/),
  );
  t.deepEqual(casts, []);
});

test('a plugin.ts is a table of contents', (t) => {
  const contents = extensions.filter(({ path }) => path.endsWith('/plugin.ts'));
  t.deepEqual(
    contents.filter(({ lines }) => lines > 60).map(({ path }) => path),
    [],
  );
});

/** Returns top-level collections that are neither frozen, nor constant, nor of a read-only type. */
function mutableCollections(source: Source): string[] {
  const declared = /^(?:export )?const \w+(:[^=]+)? = (?:new (?:Map|Set|WeakMap|WeakSet|LRUCache)\b|\[)/m;
  return places(source, declared).filter((place) => {
    if (/:[^=]*\b(?:readonly|Readonly\w*)\b/.test(place.slice(place.indexOf(' ')))) return false;
    const lines = source.code.split('\n').slice(Number(/:(\d+) /.exec(place)?.[1]) - 1);
    const end = lines.find((line) => /\](?: as const)?;$/.test(line));
    return !end?.endsWith(' as const;');
  });
}

function withoutExceptions(found: readonly string[], exceptions: Exceptions): string[] {
  const unused = Object.keys(exceptions).filter((path) => !found.some((each) => each.startsWith(path)));
  const rest = found.filter((each) => !Object.keys(exceptions).some((path) => each.startsWith(path)));
  return [...rest, ...unused.map((path) => `${path} needs no exception any more`)];
}

function ownerOf({ path }: Source): { folder: string; plugin: Loaded['plugin'] } {
  const [kind = '', id = ''] = path.split('/');
  const owner = loaded.find(({ plugin }) => plugin.id === id);
  if (!owner) throw new Error(`${path} belongs to no plugin`);
  return { folder: `${kind}/${id}`, plugin: owner.plugin };
}

/** Returns what these files import as soon as they are loaded. */
function loadedBy(sources: readonly Source[]): string[] {
  const lines = sources.flatMap(importLines).filter((each) => !each.startsWith('import type '));
  return [...new Set(lines.map((each) => /'([^']+)';$/.exec(each)?.[1] ?? each))];
}

/** Returns the import statements, each on one line. */
const importLines = ({ code }: Source): string[] =>
  [...code.matchAll(/^import\b[^;]*;/gm)].map(([each]) => each.replaceAll('\n', ' '));

function pathOf({ path }: Source, from: string): string {
  return relative(root, join(root, dirname(path), from));
}

/** Returns the file of core or of a library beneath it that is imported; undefined for others. */
function fileOf(source: Source, from: string): string | undefined {
  if (from.startsWith('.')) return pathOf(source, from);
  return beneath.test(from) ? from.replace('@keelson/', 'packages/') : undefined;
}

test('classes of pages are styled by their module or the kit', (t) => {
  const unstyled = [
    // Finds an appointment in tests.
    'modules/dispatch/portal/appointments-panel.tsx appointment',
    // Shown within a panel of another module, which styles it.
    'modules/mailbox/console/message-original.tsx said-acts',
  ];
  const classesIn = (files: readonly string[]) =>
    new Set(
      files.flatMap((file) =>
        [...readFileSync(join(root, file), 'utf8').matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name),
      ),
    );
  const styles = globSync('modules/*/{console,portal}/*.css', { cwd: root });
  const kit = classesIn(globSync('web/**/*.css', { cwd: root }));
  const pages = globSync(['modules/*/{console,portal}/**/*.tsx', 'web/**/*.tsx'], { cwd: root });
  const found = pages.flatMap((file) => {
    const own = classesIn(styles.filter((each) => file.startsWith(`${dirname(each)}/`)));
    const used = [...readFileSync(join(root, file), 'utf8').matchAll(/className="([^"]+)"/g)];
    return (
      used
        .flatMap(([, names = '']) => names.split(' '))
        // `plain` is the look of buttons without another.
        .filter((name) => !own.has(name) && !kit.has(name) && name !== 'plain')
        .map((name) => `${file} ${name}`)
    );
  });
  t.deepEqual(found.toSorted(), unstyled);
});
