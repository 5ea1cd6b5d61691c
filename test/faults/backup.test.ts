// FT-22: kills backups and restores, runs them out of disk space, and damages backups.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTicket } from '@keelson/modules/tickets';
import test, { type ExecutionContext } from 'ava';
import { newKey } from '../../packages/storage/storage.ts';
import { makeFolder } from '../_folder.ts';
import { fill, mountDisk } from './_disk.ts';
import { amount, engine, makePlace, type Place } from './_place.ts';

const root = resolve(import.meta.dirname, '../..');
const MEGABYTE = 1024 * 1024;
/** Attached files, which do not compress. */
const FILES = 48;
const KILLS = amount(3, 12);

interface Run {
  readonly pid: number;
  kill(): void;
  /** The exit code and the output; 'killed' if it was killed. */
  readonly ended: Promise<{ readonly code: number | 'killed'; readonly said: string }>;
}

function cli(t: ExecutionContext, env: Readonly<Record<string, string>>, ...args: string[]): Run {
  const child = spawn(process.execPath, [join(root, 'cli.js'), ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'close').then(([code]) => ({
    code: code === null ? ('killed' as const) : Number(code),
    said,
  }));
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { pid: child.pid ?? 0, kill: () => child.kill('SIGKILL'), ended };
}

interface Installation {
  readonly place: Place;
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly backups: string;
  /** A valid backup of three tickets. */
  readonly path: string;
  /** Returns the current number of tickets. */
  tickets(): Promise<number>;
}

async function install(t: ExecutionContext): Promise<Installation> {
  const place = await makePlace(t);
  const folder = makeFolder(t);
  const data = place.env['DATA_DIR'] ?? '';
  const env = { ...place.env, BACKUP_KEY: randomBytes(32).toString('base64'), LOG_LEVEL: 'error' };
  for (let n = 0; n < FILES; n++) {
    const file = join(data, 'files', newKey());
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, randomBytes(MEGABYTE));
  }
  const raise = (subject: string) =>
    place.open(async (app) => {
      const company_number = place.companies[0] ?? 0;
      await app.system().transaction((ctx) => createTicket(ctx, { company_number, subject }));
    });
  for (const subject of ['One', 'Two', 'Three']) await raise(subject);
  const made = await cli(t, env, 'backup').ended;
  t.is(made.code, 0, made.said);
  const backups = join(data, 'backups');
  const [name = ''] = readdirSync(backups);
  for (const subject of ['Four', 'Five']) await raise(subject);
  const tickets = async () => Number((await place.ask('SELECT COUNT(*) AS n FROM ticket'))[0]?.['n']);
  return { place, env, folder, backups, path: join(backups, name), tickets };
}

const until = async (condition: () => boolean): Promise<void> => {
  for (let n = 0; n < 6000 && !condition(); n++) await sleep(5);
};

test.serial(`a killed backup or restore leaves nothing that looks complete (FT-22, ${engine})`, async (t) => {
  t.timeout(900_000);
  const { env, folder, backups, path, tickets, place } = await install(t);
  const size = (file: string) => (existsSync(file) ? statSync(file).size : 0);
  const parts = () => readdirSync(backups).filter((each) => each.endsWith('.part'));

  const backup = cli(t, env, 'backup');
  await until(() => parts().some((each) => size(join(backups, each)) > 4 * MEGABYTE));
  backup.kill();
  t.is((await backup.ended).code, 'killed');
  t.is(parts().length, 1);
  t.is(readdirSync(backups).length, 2, 'no file but the first one has the name of a backup');
  const good = await cli(t, env, 'backup', 'verify', path).ended;
  t.is(good.code, 0, good.said);

  const into = join(folder, 'restored');
  const restore = cli(t, env, 'restore', path, '--into', into);
  await until(() => existsSync(join(into, 'files')));
  restore.kill();
  t.is((await restore.ended).code, 'killed');
  t.false(existsSync(join(into, 'keelson.db')), 'nothing that a server would serve');
  t.is(await tickets(), 5, 'what is in use was not touched');

  const begun = performance.now();
  const whole = await cli(t, env, 'restore', path, '--replace').ended;
  t.is(whole.code, 0, whole.said);
  t.is(await tickets(), 3);
  const usual = performance.now() - begun;
  const kept = /is kept in (\S+)/.exec(whole.said)?.[1] ?? '';
  let [untouched, done] = [0, 0];
  for (let n = 1; n <= KILLS; n++) {
    const replace = cli(t, env, 'restore', kept, '--replace');
    await sleep((usual * n) / (KILLS + 1));
    replace.kill();
    const { code } = await replace.ended;
    await place.alone();
    const now = await tickets();
    t.true(now === 3 || now === 5, `${now} tickets after a kill`);
    if (now === 3) untouched++;
    else done++;
    if (code === 0) t.is(now, 5);
  }
  const last = await cli(t, env, 'restore', kept, '--replace').ended;
  t.is(last.code, 0, last.said);
  t.is(await tickets(), 5);
  await place.open(async (app) => void t.true(await app.database.ping()));
  const ms = Math.round(usual);
  t.log(
    `FT-22 ${engine}: replaced in ${ms} ms; ${KILLS} kills left the previous state ${untouched} times and the backup ${done} times`,
  );
});

test.serial(`a damaged backup, or one with another key, is rejected (FT-22, ${engine})`, async (t) => {
  t.timeout(900_000);
  const { env, folder, path, tickets } = await install(t);
  const bytes = readFileSync(path);
  const flipped = Buffer.from(bytes);
  flipped[bytes.length >> 1] = (flipped[bytes.length >> 1] ?? 0) ^ 1;
  const [one, other] = [join(folder, 'flipped.backup'), join(folder, 'cut.backup')];
  writeFileSync(one, flipped);
  writeFileSync(other, bytes.subarray(0, bytes.length - 1000));
  const key = { BACKUP_KEY: randomBytes(32).toString('base64') };
  for (const [file, more, sentence] of [
    [one, {}, /The backup is damaged/],
    [other, {}, /The backup is truncated/],
    [path, key, /BACKUP_KEY does not match the key of the backup/],
  ] as const)
    for (const command of [
      ['backup', 'verify', file],
      ['restore', file, '--into', join(folder, 'nowhere')],
      ['restore', file, '--replace'],
    ]) {
      const { code, said } = await cli(t, { ...env, ...more }, ...command).ended;
      t.is(code, 1, command.join(' '));
      t.regex(said, sentence);
    }
  t.false(existsSync(join(folder, 'nowhere')));
  t.is(await tickets(), 5);
});

test.serial(`a full disk leaves no partial backup or restore (FT-22, ${engine})`, async (t) => {
  t.timeout(900_000);
  const disk = mountDisk(t, '24m');
  if (!disk) return t.pass('This user may not mount a small disk');
  const { env, path, tickets } = await install(t);
  const there = join(disk, 'backups');
  const small = { ...env, BACKUP_DIR: there };
  const backup = await cli(t, small, 'backup').ended;
  t.is(backup.code, 1);
  t.regex(backup.said, /ENOSPC|no space/i);
  t.deepEqual(readdirSync(there), []);

  const restore = await cli(t, env, 'restore', path, '--into', join(disk, 'restored')).ended;
  t.is(restore.code, 1);
  t.regex(restore.said, /ENOSPC|no space|disk is full/i);
  t.deepEqual(readdirSync(join(disk, 'restored')), []);

  const filler = fill(disk);
  const replace = await cli(t, small, 'restore', path, '--replace').ended;
  t.is(replace.code, 1);
  t.regex(replace.said, /could not be backed up, so nothing was replaced/);
  t.is(await tickets(), 5);
  rmSync(filler);
  t.deepEqual(readdirSync(there), []);
});
