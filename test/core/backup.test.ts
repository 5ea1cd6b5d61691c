// The installation's backup: consistent under load, rejected when a bit has changed, and restored unchanged on both
// databases.
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from '@keelson/core';
import { newId } from '@keelson/core/kit';
import { readCount } from '@keelson/core/list';
import { createApiKey, newHash } from '@keelson/modules/accounts';
import { createCompany, createEmployee } from '@keelson/modules/directory';
import { createTicket, Ticket, TicketCount } from '@keelson/modules/tickets';
import test, { type ExecutionContext } from 'ava';
import type { RowDataPacket } from 'mysql2';
import { readConfig } from '../../config/config.ts';
import { readBackupReport } from '../../core/backup/report.ts';
import type { App } from '../../core/plugin/app.ts';
import { findBackup } from '../../core/process/backup/backup-places.ts';
import { backUpWhenDue, makeBackup } from '../../core/process/backup/installation-backup.ts';
import { keyFor, restoreBackup, restoreDatabase, verifyBackup } from '../../core/process/backup/restore-backup.ts';
import { openInstallation } from '../../core/process/main.ts';
import { holdDatabase } from '../../packages/backup/database/live-database.ts';
import { BadBackup, seal, unseal } from '../../packages/backup/format/container.ts';
import { readBackup } from '../../packages/backup/format/manifest.ts';
import { backupName, outdated } from '../../packages/backup/kept-backups.ts';
import { StoredEvent } from '../../packages/events/delivery/delivery.ts';
import { arrivals } from '../../packages/storage/arrival.ts';
import { FileMissing, newKey } from '../../packages/storage/storage.ts';
import { connectTo } from '../../packages/testing/server-connection.ts';
import { makeFolder } from '../_folder.ts';

const server = process.env['TEST_DATABASE_URL'];
const password = 'a long walk by the sea';
const key = randomBytes(32);

async function all(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const each of bytes) parts.push(each);
  return Buffer.concat(parts);
}
/** Stores a file, and returns how it is stored. */
async function keepNote({ storage }: App) {
  const arriving = arrivals(storage.arrivals);
  arriving.receive('note.txt').end('the evidence');
  const [file] = await arriving.settled();
  return storage.keep(file!);
}

/** Runs the job of scheduled backups at a time, in an application of its own, like that of another process. */
function backUpAt(app: App, now: string): Promise<void> {
  const its = { ...app, clock: { now: () => now } };
  return backUpWhenDue(Object.create(app.system(), { app: { value: its }, now: { value: now } }));
}

const open = (sealed: Buffer, by = key) => all(unseal(by, Readable.from([sealed])));

test.serial(
  'sealed data round-trips; flipped bits, truncation, wrong keys and swapped chunks are rejected',
  async (t) => {
    const plain = randomBytes(2_500_000);
    const sealed = await all(seal(key, Readable.from([plain.subarray(0, 7), plain.subarray(7)])));
    t.true(plain.equals(await open(sealed)));
    t.is((await open(await all(seal(key, Readable.from([]))))).length, 0);
    const refused = (bytes: Buffer, by = key) => t.throwsAsync(open(bytes, by), { instanceOf: BadBackup });
    for (const at of [0, 20, 50, 64, 76, 1_048_716, sealed.length - 1]) {
      const flipped = Buffer.from(sealed);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      await refused(flipped);
    }
    for (const length of [0, 10, 48, 64, 66, 1000, sealed.length - 1]) await refused(sealed.subarray(0, length));
    const piece = 4 + 1024 * 1024 + 16;
    const [first, second] = [sealed.subarray(64, 64 + piece), sealed.subarray(64 + piece, 64 + 2 * piece)];
    await refused(Buffer.concat([sealed.subarray(0, 64), second, first, sealed.subarray(64 + 2 * piece)]));
    await refused(Buffer.concat([sealed.subarray(0, 64), first, second]), key);
    await refused(Buffer.concat([sealed, Buffer.from('x')]));
    await refused(sealed, randomBytes(32));
  },
);

test.serial('the latest backup of each recent day, week and month is kept', (t) => {
  const day = (n: number) => new Date(Date.UTC(2026, 10, 22 - n, 1, 30)).toISOString();
  const names = Array.from({ length: 400 }, (_, n) => backupName('default', day(n), { scheduled: true }));
  const gone = new Set(outdated([...names, 'notes.txt'], 'default', { daily: 7, weekly: 4, monthly: 12 }));
  const kept = names.filter((each) => !gone.has(each));
  t.deepEqual(kept.slice(0, 7), names.slice(0, 7));
  t.true(kept.length >= 7 + 2 + 10 && kept.length <= 7 + 4 + 12, `${kept.length}`);
  t.false(gone.has('notes.txt'));
  // Manual backups, pre-upgrade backups and a restore's safety copies: only a person deletes them.
  const byHand = [0, 0, 30, 400].map((n, at) => backupName('default', new Date(Date.parse(day(n)) + at).toISOString()));
  t.deepEqual(outdated([...names, ...byHand], 'default', { daily: 0, weekly: 0, monthly: 0 }), names.slice(1));
  t.deepEqual(outdated(names.slice(0, 2), 'default', { daily: 0, weekly: 0, monthly: 0 }), names.slice(1, 2));
  t.deepEqual(
    outdated(
      [0, 1].map((n) => backupName('other', day(n), { scheduled: true })),
      'default',
      {
        daily: 1,
        weekly: 0,
        monthly: 0,
      },
    ),
    [],
  );
});

async function database(t: ExecutionContext, name: string): Promise<string | undefined> {
  if (!server) return undefined;
  const connection = await connectTo(server);
  await connection.query(`CREATE DATABASE ${name}`);
  t.teardown(async () => {
    await connection.query(`DROP DATABASE ${name}`);
    await connection.end();
  });
  return new URL(name, server).href;
}

async function opened(t: ExecutionContext, dataDir: string, url: string | undefined): Promise<App> {
  const app = await openInstallation({
    ...readConfig({
      KEEP_EVENTS: 'all',
      DATA_DIR: dataDir,
      BACKUP_KEY: key.toString('base64'),
      BACKUP_CRON: '30 1 * * *',
      ...(url && { DATABASE_URL: url }),
    }),
    passwordCost: 4,
    logLevel: 'silent',
  });
  t.teardown(() => app.close());
  return app;
}

async function signsIn(t: ExecutionContext, app: App, email: string): Promise<number> {
  const http = createServer(app.handle);
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  t.teardown(() => http.close());
  app.state.started = app.state.ready = true;
  const { port } = http.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/helpdesk/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: email, password }),
  });
  return answer.status;
}

test.serial('a backup under write load is consistent and restores exactly', async (t) => {
  const folder = makeFolder(t);
  const app = await opened(t, join(folder, 'live'), await database(t, `keelson_backup_${newId()}`));
  const email = 'erin@example.com';
  const { company_number } = await app.system().transaction((ctx) => createCompany(ctx, { customer: 'Löwe & Søn 🦁' }));
  const password_hash = await newHash(app.system(), password, { email });
  await app
    .system()
    .transaction((ctx) =>
      createEmployee(ctx, { first_name: 'Erin', last_name: 'E', company_number, email, password_hash }),
    );
  await app
    .system()
    .transaction((ctx) => createApiKey(ctx, { type: 'admin', name: 'Key', permissions: ['tickets:read'] }));
  const secret = app.vault.seal('s3cret', 'test');
  const stored = await keepNote(app);
  const add = () =>
    app.system().transaction((ctx) => createTicket(ctx, { company_number, subject: 'Load', description: secret }));
  for (let n = 0; n < 100; n++) await add();
  let writing = true;
  const writers = [1, 2, 3].map(async () => {
    for (let n = 0; writing && n < 1000; n++) await add();
  });
  const { path, manifest } = await makeBackup(app, { withMasterKey: true });
  writing = false;
  await Promise.all(writers);
  const { ticket, ticket_count_delta } = manifest.tables;
  t.log(`${ticket?.rows} of ${await app.database.count(Ticket)} tickets, ${ticket_count_delta?.rows} deltas`);
  t.deepEqual(await verifyBackup(app, path), { ...manifest, elsewhere: [] });
  t.is(await findBackup(app.config), path);
  t.deepEqual(
    readdirSync(join(folder, 'live')).filter((each) => each.startsWith('verify-')),
    [],
  );

  // Restored as a folder with an embedded database, whatever the source.
  const into = join(folder, 'restored');
  await restoreBackup(app, path, { into, files: '' });
  const restored = await opened(t, into, undefined);
  const tickets = await restored.database.count(Ticket);
  t.is(tickets, ticket?.rows ?? 0);
  t.is(await readCount(restored.database, TicketCount), tickets, 'figures and rows agree');
  t.is(await restored.database.countBy(StoredEvent, { name: 'ticket.created' }), tickets);
  const [row] = await restored.database.find(Ticket, { take: 1 });
  t.is(restored.vault.open(row?.description ?? '', 'test'), 's3cret');
  t.is((await all(await restored.storage.open(stored))).toString(), 'the evidence');
  t.is(await signsIn(t, restored, email), 200);
  t.is(await signsIn(t, restored, 'nobody@example.com'), 401);
  await t.throwsAsync(restoreBackup(app, path, { into, files: '' }), { message: /must be empty/ });

  const url = await database(t, `keelson_backup_${newId()}`);
  if (url) {
    await restoreBackup(app, path, { into: url, files: join(folder, 'files') });
    // Its secrets need the key that sealed them.
    mkdirSync(join(folder, 'again'));
    copyFileSync(join(into, 'master.key'), join(folder, 'again', 'master.key'));
    const again = await opened(t, join(folder, 'again'), url);
    t.is(await again.database.count(Ticket), tickets);
    t.is(await readCount(again.database, TicketCount), tickets);
    await t.throwsAsync(restoreBackup(app, path, { into: url, files: join(folder, 'files') }), {
      message: /must be empty/,
    });
  }

  const bytes = readFileSync(path);
  const damaged = Buffer.from(bytes);
  damaged[bytes.length >> 1] = (damaged[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(join(folder, 'damaged'), damaged);
  const nowhere = join(folder, 'nowhere');
  await t.throwsAsync(restoreBackup(app, join(folder, 'damaged'), { into: nowhere, files: '' }), {
    instanceOf: BadBackup,
  });
  t.false(readdirSync(folder).includes('nowhere'), 'nothing is made before everything was checked');
  await t.throwsAsync(readBackup(path, randomBytes(32)), { instanceOf: BadBackup });
  // The salt and the key check: with the right key, damage is not reported as a wrong key alone.
  for (const place of [20, 60]) {
    const header = Buffer.from(bytes);
    header[place] = (header[place] ?? 0) ^ 1;
    writeFileSync(join(folder, 'damaged'), header);
    await t.throwsAsync(readBackup(join(folder, 'damaged'), key), {
      message: 'BACKUP_KEY does not match the key of the backup, or the start of the backup is damaged',
    });
  }

  // A read error, as on a failing disk, leaves no backup.
  const broken = { ...app.storage, open: async (name: string) => Promise.reject(new Error(`cannot read ${name}`)) };
  const before = readdirSync(app.config.backupDir);
  await t.throwsAsync(makeBackup({ ...app, storage: broken }), { message: /cannot read/ });
  t.deepEqual(readdirSync(app.config.backupDir), before);
  const missing = { ...app.storage, open: async () => Promise.reject(new FileMissing(newKey())) };
  t.is((await makeBackup({ ...app, storage: missing })).manifest.files.count, 0, 'one deleted meanwhile is left out');
  t.throws(() => keyFor({ config: { ...app.config, backupKey: undefined } }), { message: /Set BACKUP_KEY/ });

  // Runs automatically when due, once.
  const due = async (now: string) => {
    await backUpAt(app, now);
    return (await readBackupReport(app.system()))?.verified_at;
  };
  t.is(await due('2031-03-02T01:00:00.000Z'), null);
  t.is(await due('2031-03-02T01:30:00.000Z'), '2031-03-02T01:30:00.000Z');
  t.is(await due('2031-03-02T01:31:00.000Z'), '2031-03-02T01:30:00.000Z');
});

test.serial('a scheduled backup whose process ends is reported and repeated, at most twice within a day', async (t) => {
  const folder = makeFolder(t);
  const app = await opened(t, join(folder, 'live'), await database(t, `keelson_backup_${newId()}`));
  await keepNote(app);
  const report = () => readBackupReport(app.system());
  /** Starts a backup that never ends, like that of a killed process. */
  const killed = (now: string) =>
    new Promise<void>((reading, fail) => {
      const open = () => {
        reading();
        return new Promise<never>(() => {});
      };
      backUpAt({ ...app, storage: { ...app.storage, open } }, now).then(
        () => fail(new Error('No backup was started')),
        fail,
      );
    });
  const error = 'The backup was interrupted.';
  await killed('2031-03-03T01:30:00.000Z');
  t.is((await report()).error, '');
  for (const minute of [31, 32]) await killed(`2031-03-03T01:${minute}:00.000Z`);
  t.like(await report(), { started_at: '2031-03-03T01:32:00.000Z', error });
  for (const minute of [33, 34]) await backUpAt(app, `2031-03-03T01:${minute}:00.000Z`);
  t.like(await report(), { started_at: '2031-03-03T01:32:00.000Z', error }, 'there is no third repeat');
  await killed('2031-03-04T01:30:00.000Z');
  await backUpAt(app, '2031-03-04T01:33:00.000Z');
  t.like(await report(), { verified_at: '2031-03-04T01:33:00.000Z', error: '' });

  // The backup contains its own start.
  const into = join(folder, 'restored');
  await restoreBackup(app, await findBackup(app.config), { into, files: '' });
  copyFileSync(app.config.masterKeyFile, join(into, 'master.key'));
  const restored = await opened(t, into, undefined);
  await backUpAt(restored, '2031-03-04T01:34:00.000Z');
  t.is((await readBackupReport(restored.system())).started_at, '2031-03-04T01:33:00.000Z');
});

test.serial('a backup has ended its read of the database before it reads the files', async (t) => {
  const folder = makeFolder(t);
  const app = await opened(t, join(folder, 'live'), await database(t, `keelson_backup_${newId()}`));
  await keepNote(app);
  const others = sql`SELECT trx_mysql_thread_id AS id FROM information_schema.innodb_trx
    JOIN information_schema.processlist ON processlist.id = trx_mysql_thread_id
    WHERE db = DATABASE() AND trx_mysql_thread_id <> CONNECTION_ID()`;
  const truncate = sql`PRAGMA wal_checkpoint(TRUNCATE)`;
  const seen: unknown[] = [];
  const storage = {
    ...app.storage,
    open: async (name: string) => {
      await app.system().transaction((ctx) => createCompany(ctx, { customer: 'Acme' }));
      seen.push(await (server ? app.database.query(others) : app.database.query(truncate)));
      return app.storage.open(name);
    },
  };
  t.is((await makeBackup({ ...app, storage })).manifest.files.count, 1);
  t.deepEqual(seen, [server ? [] : [{ busy: 0, log: 0, checkpointed: 0 }]]);
});

test.serial('a restore to a server outlasts connections that are closed while it reads the files', async (t) => {
  const url = await database(t, `keelson_backup_${newId()}`);
  const live = await database(t, `keelson_held_${newId()}`);
  if (!url || !live || !server) return t.pass();
  const app = await opened(t, join(makeFolder(t), 'live'), undefined);
  await keepNote(app);
  await app.system().transaction((ctx) => createCompany(ctx, { customer: 'Acme' }));
  const { path } = await makeBackup(app);
  const connection = await connectTo(server);
  t.teardown(() => connection.end());
  const names = [url, live].map((each) => new URL(each).pathname.slice(1));
  const file = async () => {
    const [open] = await connection.query<RowDataPacket[]>(
      'SELECT id FROM information_schema.processlist WHERE db IN (?)',
      [names],
    );
    // Some may just have ended.
    for (const { id } of open) await connection.query('KILL ?', [id]).catch(() => {});
  };
  const held = await holdDatabase({ url: live });
  await restoreDatabase(app, path, { place: { url }, file });
  await restoreDatabase(app, path, { place: held.next });
  await held.exchange();
  await held.release();
  for (const each of names) {
    const [found] = await connection.query<RowDataPacket[]>('SELECT customer FROM ??.company', [each]);
    t.deepEqual(
      found.map((row) => String(row['customer'])),
      ['Acme'],
    );
  }
});
