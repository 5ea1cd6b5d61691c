// Backups in a store, and restores over a live installation: its data is kept, and no number is allocated twice.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createCompany } from '@keelson/modules/directory';
import { createTicket, Ticket } from '@keelson/modules/tickets';
import test, { type ExecutionContext } from 'ava';
import { readConfig } from '../../config/config.ts';
import type { Config } from '../../config/config.ts';
import { Attachment } from '../../core/attachments/attachment.ts';
import { tidyAttachments } from '../../core/attachments/tidy.ts';
import { readBackupReport } from '../../core/backup/report.ts';
import { usualKept } from '../../core/backup/schedule.ts';
import type { App } from '../../core/plugin/app.ts';
import { copyToStore, findBackup, listBackups, pruneBackups } from '../../core/process/backup/backup-places.ts';
import { backUpWhenDue, makeBackup } from '../../core/process/backup/installation-backup.ts';
import { replaceInstallation } from '../../core/process/backup/replace-installation.ts';
import { KEY_SUFFIX, requireTenant, restoreBackup, verifyBackup } from '../../core/process/backup/restore-backup.ts';
import { openInstallation } from '../../core/process/main.ts';
import { backupName } from '../../packages/backup/kept-backups.ts';
import { arrivals } from '../../packages/storage/arrival.ts';
import { newKey, type Storage } from '../../packages/storage/storage.ts';
import { makeFolder } from '../_folder.ts';
import { makeDatabase, server } from '../faults/_place.ts';
import { openStore } from './_s3-store.ts';

const key = randomBytes(32).toString('base64');

async function place(t: ExecutionContext, more: Readonly<Record<string, string>> = {}): Promise<Config> {
  const folder = makeFolder(t);
  const url = server ? await makeDatabase(t, server) : undefined;
  const env = { DATA_DIR: folder, BACKUP_KEY: key, ...(url && { DATABASE_URL: url }), ...more };
  return { ...readConfig(env), passwordCost: 4, logLevel: 'silent' };
}

async function opened<Result>(config: Config, work: (app: App) => Promise<Result>): Promise<Result> {
  const app = await openInstallation(config);
  return work(app).finally(() => app.close());
}

const installed = ({ config, log, plugins }: App) => ({ config, log, plugins });

test.serial('a backup is copied to a store, read back, fetched and deleted there', async (t) => {
  const store = await openStore(t);
  const config = await place(t, {
    BACKUP_S3_URL: store.endpoint,
    BACKUP_S3_ACCESS_KEY_ID: 'AKIA',
    BACKUP_S3_SECRET_ACCESS_KEY: 'a-secret',
    BACKUP_CRON: '30 1 * * *',
  });
  await opened(config, async (app) => {
    const { path, copied } = await makeBackup(app, { withMasterKey: true });
    t.true(copied);
    const name = path.slice(path.lastIndexOf('/') + 1);
    const at = `/bucket/default/${name}`;
    t.deepEqual([...store.objects.keys()].toSorted(), [at, at + KEY_SUFFIX]);
    t.deepEqual(store.objects.get(at), readFileSync(path));
    t.deepEqual(
      (await listBackups(config)).map((each) => each.where),
      [config.backupDir, config.backupS3Url],
    );

    // On a new machine: fetches the newest backup, or the named one, with its key.
    rmSync(config.backupDir, { recursive: true });
    t.is(await findBackup(config, name), path);
    t.deepEqual(readdirSync(config.backupDir).toSorted(), [name, name + KEY_SUFFIX]);
    t.deepEqual(readFileSync(path), store.objects.get(at));
    await t.throwsAsync(findBackup(config, 'keelson-default-20200101T000000Z.backup'), {
      message: /Backup keelson\S+ not found/,
    });

    // A copy that reads back damaged is rejected.
    store.objects.set(at, Buffer.from('x'));
    const put = store.objects.set.bind(store.objects);
    store.objects.set = (k, bytes) => put(k, bytes.subarray(1));
    await t.throwsAsync(copyToStore(config, path), { message: /a different file than was uploaded/ });
    store.objects.set = put;

    // Retention follows BACKUP_KEEP; foreign files stay.
    const days = Array.from({ length: 60 }, (_, n) => new Date(Date.UTC(2026, 8, 1 + n, 1, 30)).toISOString());
    for (const day of days)
      store.objects.set(`/bucket/default/${backupName('default', day, { scheduled: true })}`, Buffer.from('x'));
    store.objects.set('/bucket/default/notes.txt', Buffer.from('x'));
    store.objects.set(`/bucket/default/${backupName('other', days[0] ?? '', { scheduled: true })}`, Buffer.from('x'));
    const removed = await pruneBackups(config, usualKept);
    const left = (await listBackups(config)).filter((each) => each.where === config.backupS3Url);
    t.is(removed, 61 - left.length);
    t.true(left.length >= 7 && left.length <= 7 + 4 + 12, `${left.length}`);
    t.true(store.objects.has('/bucket/default/notes.txt'));
    t.true(store.objects.has(`/bucket/default/${backupName('other', days[0] ?? '', { scheduled: true })}`));

    // The report covers the run of BACKUP_CRON.
    const at130 = { value: '2031-03-02T01:30:00.000Z' };
    const clock = { now: () => at130.value };
    await backUpWhenDue(Object.create(app.system(), { app: { value: { ...app, clock } }, now: at130 }));
    t.like(await readBackupReport(app.system()), {
      scheduled: true,
      verified_at: at130.value,
      made_at: at130.value,
      name: backupName('default', at130.value, { scheduled: true }),
      copied: true,
      error: '',
    });
    store.objects.set = (k, bytes) => put(k, bytes.subarray(1));
    const next = { value: '2031-03-03T01:30:00.000Z' };
    const later = { now: () => next.value };
    const due = Object.create(app.system(), { app: { value: { ...app, clock: later } }, now: next });
    await t.throwsAsync(backUpWhenDue(due));
    t.regex((await readBackupReport(app.system())).error, /a different file than was uploaded/);
  });
});

test.serial(
  'a backup replaces a stopped installation, keeps its previous state, and issues no number twice',
  async (t) => {
    t.timeout(900_000);
    const config = await place(t);
    const ticket = (app: App, company_number: number, subject: string) =>
      app.system().transaction((ctx) => createTicket(ctx, { company_number, subject }));
    const before = await opened(config, async (app) => {
      const { company_number } = await app.system().transaction((ctx) => createCompany(ctx, { customer: 'North' }));
      await ticket(app, company_number, 'In the backup');
      const gone = await ticket(app, company_number, 'Deleted before it');
      await app.database.delete(Ticket, { ticket_id: gone.ticket_id });
      const arriving = arrivals(app.storage.arrivals);
      arriving.receive('note.txt').end('the evidence');
      const [file] = await arriving.settled();
      const stored = file ? await app.storage.keep(file) : '';
      const { path } = await makeBackup(app);
      await app.storage.remove(stored);
      const last = await ticket(app, company_number, 'After the backup');
      await t.throwsAsync(replaceInstallation(installed(app), path), { message: /in use: stop all Keelson processes/ });
      t.is(await app.database.count(Ticket), 2, 'a running one is not touched');
      return { path, gone, last, stored, company_number, app: installed(app) };
    });

    const { manifest, kept } = await replaceInstallation(before.app, before.path);
    t.is(manifest.tables['ticket']?.rows, 1);
    t.true(kept !== undefined && existsSync(kept) && kept !== before.path);
    await opened(config, async (app) => {
      const [only, ...more] = await app.database.find(Ticket);
      t.is(only?.subject, 'In the backup');
      t.deepEqual(more, []);
      t.true(await app.storage.exists(before.stored));
      const next = await ticket(app, before.company_number, 'New');
      t.true(next.ticket_id > before.last.ticket_id, 'an id that a deleted row had is never another’s');
      t.true(next.ticket_number > before.last.ticket_number, 'nor is a number that people know');
    });
    if (!server)
      t.deepEqual(
        readdirSync(config.dataDir).filter((each) => each.startsWith('restoring')),
        [],
      );

    // Recreating the tables takes long on a server.
    if (server) return;
    // Restore the replaced installation again.
    await replaceInstallation(before.app, kept ?? '');
    await opened(config, async (app) => {
      const subjects = (await app.database.find(Ticket)).map((each) => each.subject);
      t.deepEqual(subjects.toSorted(), ['After the backup', 'In the backup']);
    });

    // Restoring into an empty installation keeps nothing.
    const bare = await place(t);
    const into = { ...before.app, config: { ...bare, masterKeyFile: config.masterKeyFile } };
    t.is((await replaceInstallation(into, before.path)).kept, undefined);
    t.is(await opened(into.config, (app) => app.database.count(Ticket)), 1);
  },
);

/** Creates an attachment with this text; returns its storage key. */
async function keepText({ storage, database, clock }: App, record_id: number, text: string): Promise<string> {
  const arriving = arrivals(storage.arrivals);
  arriving.receive('note.txt').end(text);
  const [file] = await arriving.settled();
  if (!file) throw new Error('Nothing arrived');
  const stored_as = await storage.keep(file);
  const sha256 = createHash('sha256').update(text).digest('hex');
  const about = { filename: 'note.txt', content_type: 'text/plain', size: text.length, sha256, stored_as };
  const author = { author_type: 'system', author_id: null, author_name: 'System' } as const;
  const row = { record_type: 'ticket', record_id, part_id: null, ...about, ...author, created_at: clock.now() };
  await database.insert(Attachment, row);
  return stored_as;
}

test.serial('a missing or changed file fails verification; another provider’s backup must be named', async (t) => {
  const config = await place(t);
  await opened(config, async (app) => {
    const { company_number } = await app.system().transaction((ctx) => createCompany(ctx, { customer: 'Acme' }));
    const given = { company_number, subject: 'With files' };
    const { ticket_id: record_id } = await app.system().transaction((ctx) => createTicket(ctx, given));
    const seeded: string[] = [];
    for (const text of ['one', 'two']) seeded.push(await keepText(app, record_id, text));
    const { path, left_out } = await makeBackup(app);
    t.deepEqual(left_out, []);
    await app.database.run({ text: 'CREATE TABLE gone_plugin_photo (photo BLOB)', params: [] });
    t.deepEqual((await makeBackup(app)).left_out, ['gone_plugin_photo'], 'bytes are no text');
    await app.database.run({ text: 'DROP TABLE gone_plugin_photo', params: [] });
    const manifest = await verifyBackup(installed(app), path);
    requireTenant(installed(app), manifest, undefined);
    const ours = { ...installed(app), config: { ...config, tenantSlug: 'ours' } };
    const foreign = /belongs to the service provider "default", but this installation to "ours": pass --of "default"/;
    t.throws(() => requireTenant(ours, manifest, undefined), { message: foreign });
    const into = join(config.dataDir, 'nowhere');
    await t.throwsAsync(restoreBackup(ours, path, { into, files: '' }), { message: foreign });
    await t.throwsAsync(replaceInstallation(ours, path), { message: foreign });
    requireTenant(ours, manifest, 'default');
    const deletedMeanwhile = await makeBackup(deletingMeanwhile(app, await keepText(app, record_id, 'three')));
    await verifyBackup(installed(app), deletedMeanwhile.path);
    const [gone = '', other = ''] = seeded;
    await app.storage.remove(gone);
    writeFileSync(join(config.filesDir, other), 'TWO');
    const second = await makeBackup(app);
    await t.throwsAsync(verifyBackup(installed(app), second.path), {
      message: `An attachment file is missing: ${gone}; An attachment file is not as recorded in the database: ${other}`,
    });
  });
});

/** Returns the application with an attachment that is deleted after its row was backed up and before its file is. */
function deletingMeanwhile(app: App, key: string): App {
  const storage: Storage = Object.create(app.storage);
  const list: Storage['list'] = async function* (shard) {
    await app.database.delete(Attachment, { stored_as: key });
    await app.storage.remove(key);
    yield* app.storage.list(shard);
  };
  return { ...app, storage: Object.assign(storage, { list }) };
}

test.serial(
  'large numbers of missing plugins are restored exactly; binary values are left out, and never replaced',
  async (t) => {
    const config = await place(t);
    const run = (app: App, text: string) => app.database.run({ text, params: [] });
    const message = "'9007199254740993'";
    const read = async (app: App) => {
      const text = 'SELECT CAST(message_id AS CHAR) AS id, CAST(price AS CHAR) AS price FROM gone_message';
      return (await app.database.query({ text, params: [] })).map((each) => ({ ...each }));
    };
    const made = await opened(config, async (app) => {
      await run(app, 'CREATE TABLE gone_message (message_id BIGINT PRIMARY KEY, price DECIMAL(30, 10))');
      await run(
        app,
        `INSERT INTO gone_message VALUES (${message}, ${server ? "'12345678901234567.8900000001'" : '0.5'})`,
      );
      if (!server) {
        await run(app, 'CREATE TABLE gone_key (key_id INTEGER PRIMARY KEY, secret TEXT)');
        await run(app, "INSERT INTO gone_key VALUES (1, X'00FF')");
      }
      const { path, left_out } = await makeBackup(app);
      t.deepEqual(left_out, server ? [] : ['gone_key']);
      await verifyBackup(installed(app), path);
      if (server) await run(app, 'CREATE TABLE gone_key (secret BLOB)');
      return { path, rows: await read(app), parts: installed(app) };
    });
    t.is(made.rows[0]?.['id'], '9007199254740993');
    await t.throwsAsync(replaceInstallation(made.parts, made.path), {
      message: /would be lost, .*: gone_key\. Drop them/,
    });
    await opened(config, (app) => run(app, 'DROP TABLE gone_key'));
    await replaceInstallation(made.parts, made.path);
    await opened(config, async (app) => t.deepEqual(await read(app), made.rows));
  },
);

test.serial('tables of missing plugins are backed up and restored', async (t) => {
  const config = await place(t);
  const run = (app: App, text: string) => app.database.run({ text, params: [] });
  const notes = (app: App) => app.database.query({ text: 'SELECT * FROM gone_note ORDER BY note_id', params: [] });
  const applied = (app: App) =>
    app.database.query({ text: "SELECT name FROM migration WHERE name LIKE '%gone%' ORDER BY name", params: [] });
  const made = await opened(config, async (app) => {
    const counting = server ? 'INTEGER PRIMARY KEY AUTO_INCREMENT' : 'INTEGER PRIMARY KEY AUTOINCREMENT';
    await run(app, `CREATE TABLE gone_note (note_id ${counting}, title VARCHAR(200) NOT NULL, weight DOUBLE)`);
    await run(app, 'CREATE INDEX gone_by_title ON gone_note (title)');
    await run(app, "INSERT INTO gone_note VALUES (2, 'Zwei ü 佐藤', 0.5), (1, 'One', NULL)");
    await run(app, "INSERT INTO migration (name, applied_at) VALUES ('1763800000000-gone', '2026-03-02 09:00:00.000')");
    const { path, left_out, manifest } = await makeBackup(app);
    t.deepEqual([left_out, manifest.stray_tables, manifest.applied], [[], ['gone_note'], ['1763800000000-gone']]);
    t.is(manifest.tables['gone_note']?.rows, 2);
    await verifyBackup(installed(app), path);
    return { path, notes: await notes(app), parts: installed(app) };
  });
  t.is(made.notes.length, 2);

  // The other kind of database cannot recreate these tables; this is reported, and everything else is restored.
  const folder = join(config.dataDir, 'restored');
  const into = await restoreBackup(made.parts, made.path, { into: folder, files: '' });
  t.deepEqual(into.elsewhere, server ? ['gone_note'] : []);

  const replaced = await replaceInstallation(made.parts, made.path);
  t.deepEqual(replaced.manifest.elsewhere, []);
  await opened(config, async (app) => {
    t.deepEqual(await notes(app), made.notes);
    t.deepEqual(await applied(app), [{ name: '1763800000000-gone' }]);
    // The backup of the replaced installation contains them too.
    const kept = await verifyBackup(installed(app), replaced.kept ?? '');
    t.deepEqual(kept.stray_tables, ['gone_note']);
  });
});

test.serial(
  'a restored copy deletes no files of the original; a replaced installation still cleans its storage',
  async (t) => {
    const orphan = ({ filesDir }: Config) => {
      const path = join(filesDir, newKey());
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, 'x');
      utimesSync(path, 0, 0);
      return path;
    };
    const tidies = async (config: Config) => {
      const path = orphan(config);
      await opened(config, (app) => tidyAttachments(app.system()));
      return !existsSync(path);
    };
    const original = await place(t);
    t.true(await tidies(original));
    const made = await opened(original, async (app) => ({ ...(await makeBackup(app)), parts: installed(app) }));

    const folder = join(original.dataDir, 'copy');
    await restoreBackup(made.parts, made.path, { into: folder, files: '' });
    const { filesDir, masterKeyFile } = original;
    t.false(await tidies({ ...readConfig({ DATA_DIR: folder }), logLevel: 'silent', filesDir, masterKeyFile }));

    await replaceInstallation(made.parts, made.path);
    t.true(await tidies(original));
  },
);
