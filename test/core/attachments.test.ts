// Attachments with hostile names and contents, interrupted uploads, full disks and the nightly job.
import { readdir, utimes, writeFile, mkdir } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { deleteTicket, lockTicket } from '@keelson/modules/tickets';
import { startApp, type TestApp, type TestOptions } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { missingFiles, tidyAttachments } from '../../core/attachments/tidy.ts';
import { createLogger } from '../../packages/log/log.ts';
import { serve } from '../../packages/server/server.ts';
import { arrivals } from '../../packages/storage/arrival.ts';
import { cleanName, contentDisposition } from '../../packages/storage/file-name.ts';
import { fileTypeOf } from '../../packages/storage/file-type.ts';
import { s3Storage } from '../../packages/storage/s3.ts';
import { newKey } from '../../packages/storage/storage.ts';
import { makeFolder } from '../_folder.ts';
import { until } from '../_until.ts';
import { limitUploads, multipart, staffCaller, storedAttachments, storedUse } from '../attachments-seed.ts';
import { asEmployee, seedEmployee, seedTicket, staff } from '../tickets-seed.ts';
import { openStore } from './_s3-store.ts';

async function seed(t: ExecutionContext, options: TestOptions = {}) {
  const app = await startApp(t, options);
  const employee = await seedEmployee(app);
  const { ticket_id } = await seedTicket(app, employee);
  const key = await staffCaller(app);
  return { app, employee, ticket_id, key, all: `/tickets.php?action=attachments&id=${ticket_id}` };
}

const arrived = ({ app }: TestApp) => readdir(app.storage.arrivals).catch(() => []);
const tidy = ({ app }: TestApp) => tidyAttachments(app.system());

async function filesOf({ app }: TestApp): Promise<string[]> {
  const all = await readdir(app.config.filesDir, { recursive: true });
  return all.filter((each) => /[0-9a-f]{32}$/.test(each));
}

/** Makes a file two days old by the test clock. */
const makeOld = (path: string) => utimes(path, new Date('2026-02-28'), new Date('2026-02-28'));

const hostile = [
  ...['../../etc/passwd', '..\\..\\windows\\win.ini', '/etc/shadow', 'C:\\boot.ini', '\\\\host\\share\\x', 'a/b/c.txt'],
  ...[
    '.',
    '..',
    '...',
    '',
    ' ',
    '/',
    '\\',
    './',
    '.htaccess',
    '.ssh/authorized_keys',
    '~/.bashrc',
    'file:///etc/passwd',
  ],
  ...[
    'a\0b.txt',
    '\0',
    'x.php\0.png',
    'a\nb.txt',
    'a\r\nSet-Cookie: x=1',
    'a\tb',
    '\x1b[31mred',
    '\x7f',
    '\u0085',
    '\u2028x\u2029',
  ],
  ...[
    '\u202egnp.exe',
    'invoice\u202efdp.exe',
    '\u200fabc',
    '\u2066x\u2069',
    'a\u200bb',
    '\ufeffbom.txt',
    '\u00adsoft',
    '\u061cx',
  ],
  ...['CON', 'con.txt', 'NUL', 'nul.tar.gz', 'COM1', 'com9.log', 'LPT1.txt', 'AUX.', 'PRN', 'CONIN$', 'COM¹', 'lpt³.x'],
  ...[
    'a"b.txt',
    "a'b",
    'a;b.txt',
    'a,b',
    'a%00b',
    'a%2e%2e',
    '%2e%2e%2f',
    'a?b',
    'a*b',
    'a|b',
    'a<b>c',
    'a:b',
    'x:stream:$DATA',
  ],
  ...[
    '<script>alert(1)</script>.html',
    '"><img src=x onerror=1>',
    '${7*7}',
    '{{7*7}}',
    '`id`',
    '$(id)',
    '; rm -rf /',
    "'; DROP TABLE x;--",
  ],
  ...[
    'a'.repeat(5000),
    `${'é'.repeat(400)}.pdf`,
    '😀'.repeat(300),
    `${'x'.repeat(300)}.${'y'.repeat(300)}`,
    '👩‍👩‍👧‍👦.png',
    'e\u0301.txt',
  ],
  ...[
    '\ud800',
    'a\udc00b',
    'trailing. . .',
    'trailing   ',
    '   leading',
    '- rf',
    '=cmd|calc',
    'файл.txt',
    '文件.pdf',
    'ملف.txt',
  ],
];

test('hostile file names become safe but readable', (t) => {
  t.true(hostile.length >= 80);
  for (const given of hostile) {
    const name = cleanName(given);
    const length = Array.from(name).length;
    t.true(length > 0 && length <= 200 && name.isWellFormed(), JSON.stringify(given));
    // eslint-disable-next-line no-control-regex
    t.notRegex(
      name,
      /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\ufeff/\\<>:"|?*]/u,
      JSON.stringify(given),
    );
    t.notRegex(name, /^\.|[\s.]$|^\s/u);
    t.notRegex(name, /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i);
    t.regex(contentDisposition(name), /^attachment; filename="[\w.-]+"; filename\*=UTF-8''[\w.!~%-]+$/);
  }
  t.is(cleanName('../../etc/passwd'), 'passwd');
  t.is(cleanName('invoice\u202efdp.exe'), 'invoicefdp.exe');
  t.is(cleanName('👩‍👩‍👧‍👦.png'), '👩‍👩‍👧‍👦.png');
  t.is(cleanName('файл (1).txt'), 'файл (1).txt');
  t.true(cleanName(`${'é'.repeat(400)}.pdf`).endsWith('é.pdf'));
  t.is(cleanName(''), 'file');
});

test('types are detected from the bytes, and anything executable is served as text or binary', async (t) => {
  const bomb = Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(4000, 0x78)]);
  const gif = Buffer.from('GIF89a/*<script>alert(1)</script>*/=1;');
  const cases: [string | Buffer, string][] = [
    ['<!doctype html><script>alert(1)</script>', 'text/plain'],
    ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'text/plain'],
    ['<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'text/plain'],
    ['<?php system($_GET[0]);', 'text/plain'],
    ['plain words – and ünïcode', 'text/plain'],
    [Buffer.concat([Buffer.from('text '), Buffer.from('é').subarray(0, 1)]), 'text/plain'],
    ['', 'application/octet-stream'],
    [Buffer.from([0x4d, 0x5a, 0x90, 0x00, 0x03]), 'application/octet-stream'],
    [Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0x02, 0x01, 0x01, 0x00]), 'application/octet-stream'],
    [gif, 'image/gif'],
    ['%PDF-1.7\n<script>', 'application/pdf'],
    [bomb, 'application/zip'],
    [Buffer.from('1f8b0800', 'hex'), 'application/gzip'],
  ];
  for (const [bytes, type] of cases)
    t.is(await fileTypeOf(Buffer.from(bytes as string)), type, String(bytes).slice(0, 40));
});

test('a storage key never leads out of the folder', async (t) => {
  const { app } = await startApp(t);
  for (const key of ['../keelson.db', '../../etc/passwd', '/etc/passwd', `ab/cd/../${newKey()}`, '']) {
    await t.throwsAsync(async () => app.storage.open(key), { message: 'Invalid storage key' }, key);
    await t.throwsAsync(async () => app.storage.remove(key), { message: 'Invalid storage key' }, key);
  }
});

test('an upload with a hostile name is stored elsewhere and offered under a clean one', async (t) => {
  t.true(hostile.length >= 80, String(hostile.length));
  const { app, key, all, ticket_id } = await seed(t);
  await limitUploads(app, { record_files: 1000 });
  for (let from = 0; from < hostile.length; from += 10) {
    const some = hostile
      .slice(from, from + 10)
      .map((name) => ({ name: name.toWellFormed(), bytes: '<svg onload=alert(1)>' }));
    t.is((await key.upload(all, some)).status, 201);
  }
  const rows = await storedAttachments(app);
  t.is(rows.length, hostile.length);
  for (const { stored_as, filename } of rows) {
    t.regex(stored_as, /^[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{32}$/);
    t.notRegex(filename, /[/\\\0\r\n]/);
  }
  t.is((await filesOf(app)).length, hostile.length);
  const [first] = rows;
  const answer = await key.send(
    'GET',
    `/tickets.php?action=attachment&id=${ticket_id}&attachment_id=${first?.attachment_id}`,
  );
  t.is(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
  const empty = await key.upload(all, [{ name: 'empty.bin', bytes: '' }]);
  t.is(empty.body.data.attachments[0].size, 0);
  const last = empty.body.data.attachments[0].attachment_id;
  const none = await key.send('GET', `/tickets.php?action=attachment&id=${ticket_id}&attachment_id=${last}`);
  t.deepEqual([none.status, none.text, none.headers.get('content-length')], [200, '', '0']);
});

test('a slow upload succeeds while bytes keep arriving; other requests may not be that slow', async (t) => {
  const { app, key, all } = await seed(t);
  // A single piece is enough for an interval, because the machine may be slow.
  const bodies = { seconds: 3, bytesPerSecond: 200, uploadSeconds: 60 };
  const server = await serve(app.app.handle, {
    host: '127.0.0.1',
    port: 0,
    log: createLogger({ level: 'silent' }),
    quietMs: 10,
    bodies,
  });
  t.teardown(() => server.close(0));
  const at = { ...app, url: `http://127.0.0.1:${server.port}` };
  /** Sends a chunk every 50 ms for some seconds, then the rest; returns the status. */
  const drip = async (path: string, { piece, seconds }: { piece: number; seconds: number }) => {
    const { request, body, answer } = begin(at, path, key.token);
    let over: string | undefined;
    const done = answer.then(
      async (response) => (over = `${response.statusCode} ${await text(response)}`),
      (error: NodeJS.ErrnoException) => (over = String(error.code)),
    );
    let sent = 0;
    for (const end = performance.now() + seconds * 1000; performance.now() < end && over === undefined; sent += piece) {
      request.write(body.subarray(sent, sent + piece));
      await wait(50);
    }
    if (over === undefined) request.end(body.subarray(sent));
    return (await done).slice(0, 40);
  };
  const started = performance.now();
  t.regex(await drip(all, { piece: 1500, seconds: 7 }), /^201 /);
  t.true(performance.now() - started > 6900, 'longer than other bodies may take');
  t.is((await storedAttachments(app)).length, 1);
  t.regex(await drip(all, { piece: 1, seconds: 60 }), /^400 |^E/, 'too few bytes');
  t.regex(await drip('/tickets.php', { piece: 500, seconds: 60 }), /^400 |^E/, 'no route that takes files');
  t.regex(await drip('/nowhere.php', { piece: 500, seconds: 60 }), /^404 /);
  await until(async () => (await arrived(app)).length === 0);
  t.deepEqual(await arrived(app), []);
  t.is((await storedAttachments(app)).length, 1);
});

/** Starts an upload whose body the test sends by hand. */
function begin(app: TestApp, path: string, token: string) {
  const { hostname, port } = new URL(app.url);
  const { body, headers } = multipart([{ name: 'slow.bin', bytes: Buffer.alloc(300_000, 1) }]);
  const answer = Promise.withResolvers<IncomingMessage>();
  const request = httpRequest(
    { hostname, port, method: 'POST', path: staff + path, headers: { ...headers, Authorization: `Bearer ${token}` } },
    answer.resolve,
  );
  request.on('error', answer.reject);
  return { request, body, answer: answer.promise };
}

test('aborted and stalled uploads leave nothing behind and free their slot', async (t) => {
  const { app, key, all } = await seed(t);
  for (let i = 0; i < 6; i++) {
    const { request, body, answer } = begin(app, all, key.token);
    request.write(body.subarray(0, 200_000));
    await until(async () => (await arrived(app)).length > 0);
    request.destroy();
    await t.throwsAsync(answer);
    await until(async () => (await arrived(app)).length === 0);
  }
  t.deepEqual(await arrived(app), []);
  await limitUploads(app, { upload_seconds: 1 });
  const { request, body, answer } = begin(app, all, key.token);
  request.write(body.subarray(0, 100_000));
  const late = await answer;
  t.is(late.statusCode, 400);
  t.regex(await text(late), /must not take longer than 1 seconds/);
  request.destroy();
  await until(async () => (await arrived(app)).length === 0);
  t.deepEqual(await arrived(app), []);

  await limitUploads(app, { upload_seconds: 60 });
  const held = Array.from({ length: 4 }, () => begin(app, all, key.token));
  for (const each of held) each.request.write(each.body.subarray(0, 1000));
  await until(async () => (await arrived(app)).length === 4);
  t.is((await key.upload(all)).status, 429);
  for (const each of held) {
    each.request.end(each.body.subarray(1000));
    t.is((await each.answer).statusCode, 201);
  }
  t.is((await key.upload(all)).status, 201, 'the places are free again');
});

test('a full disk and a failing store are reported and leave nothing behind', async (t) => {
  const { app, key, all } = await seed(t);
  const { storage } = app.app;
  const { keep } = storage;
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  Object.assign(storage, { keep: () => Promise.reject(full) });
  const answer = await key.upload(all);
  t.deepEqual([answer.status, answer.body.error], [503, 'There is not enough disk space for uploads']);
  t.deepEqual([await arrived(app), await storedAttachments(app), await filesOf(app)], [[], [], []]);
  Object.assign(storage, { keep });
  t.is((await key.upload(all)).status, 201);
});

test('uploads keep a disk reserve so that tickets can still be written', async (t) => {
  const { app, employee, key, all } = await seed(t);
  const { storage } = app.app;
  const MIB = 1024 ** 2;
  let free = 3 * MIB;
  Object.assign(storage, { space: () => Promise.resolve({ free, whole: 40 * MIB }) });
  t.is((await key.upload(all)).status, 201);
  free = 2 * MIB;
  const answer = await key.upload(all);
  t.deepEqual([answer.status, answer.body.error], [503, 'There is not enough disk space for uploads']);
  const raised = { subject: 'Disk full', description: 'It says so', job_type: 'Hardware' };
  t.is((await (await asEmployee(app, employee))('POST', '/tickets', raised)).status, 201);
});

test('the nightly job removes orphans and files of long-deleted records, and reports rows without a file', async (t) => {
  const { app, employee, key, all, ticket_id } = await seed(t);
  await key.upload(all, [{ name: 'a.txt' }, { name: 'b.txt' }]);
  await tidy(app);
  const { filesDir } = app.app.config;
  const place = async (path: string, old: boolean) => {
    await mkdir(dirname(join(filesDir, path)), { recursive: true });
    await writeFile(join(filesDir, path), 'orphan');
    if (old) await makeOld(join(filesDir, path));
    return path;
  };
  const old = await place(newKey(), true);
  const young = await place(newKey(), false);
  const dead = await place('arrivals/dead', true);
  const coming = await place('arrivals/coming', false);
  const [first, second] = await storedAttachments(app);
  for (const each of [first, second]) await makeOld(join(filesDir, each?.stored_as ?? ''));
  await tidy(app);
  const there = await readdir(filesDir, { recursive: true });
  t.deepEqual(
    [old, young, dead, coming].map((each) => there.includes(each)),
    [false, true, false, true],
  );
  t.is((await filesOf(app)).length, 3, 'what rows own stays, however old it is');
  t.is(missingFiles(app.app).count, 0);

  app.expectError(/attachments have no file|action=attachment.*request failed|belongs to another database/);
  await app.app.storage.remove(first?.stored_as ?? '');
  await tidy(app);
  t.is(missingFiles(app.app).count, 1);
  t.is((await storedAttachments(app)).length, 2, 'a row is never deleted for it');
  t.is((await key.send('GET', `/tickets.php?action=attachment&id=${ticket_id}&attachment_id=1`)).status, 500);

  // In a folder that belongs to another database, nothing is deleted.
  await app.app.storage.writeNote('owner', 'somebody else');
  const foreign = await place(newKey(), true);
  await tidy(app);
  t.true((await readdir(filesDir, { recursive: true })).includes(foreign));

  await app.run(async (ctx) => deleteTicket(ctx, await lockTicket(ctx, ticket_id)));
  app.clock.set('2026-03-30T09:00:00.000Z');
  await tidy(app);
  t.is((await storedAttachments(app)).length, 2, 'a deletion may have been a mistake');
  app.clock.set('2026-04-03T09:00:00.000Z');
  await tidy(app);
  t.deepEqual(await storedAttachments(app), []);
  t.like(await storedUse(app, employee.company_number), { files: 0, bytes: 0 });
  t.false(await app.app.storage.exists(second?.stored_as ?? ''));
});

test('a request to an S3 store is sent again when its connection was closed', async (t) => {
  const store = await openStore(t);
  const folder = makeFolder(t);
  const place = { region: 'eu', prefix: 'acme', accessKeyId: 'AKIA', secretAccessKey: 'a-secret', fetch };
  const storage = s3Storage(folder, { ...place, endpoint: store.endpoint });
  const path = join(folder, 'arrived');
  await writeFile(path, 'hello');
  store.close(1);
  const key = await storage.keep({ path, size: 5 });
  for (const work of [() => storage.exists(key), () => storage.readNote('owner'), () => storage.open(key)]) {
    store.close(1);
    await t.notThrowsAsync(work());
  }
  store.close(2);
  await t.throwsAsync(storage.exists(key), { message: 'fetch failed' });
  store.close(1);
  await storage.remove(key);
  t.is(store.objects.size, 0);
});

test('an S3 store keeps, ranges, lists and deletes files; large ones are uploaded in parts', async (t) => {
  const store = await openStore(t);
  const at = { region: 'eu-central-1', prefix: 'acme', accessKeyId: 'AKIA' };
  const config = { s3Url: store.endpoint, s3Region: at.region, s3Prefix: at.prefix, s3AccessKeyId: at.accessKeyId };
  const { app, key, all, ticket_id } = await seed(t, { config: { ...config, s3SecretAccessKey: 'a-secret' } });
  await limitUploads(app, { file_bytes: 30 * 1024 * 1024 });
  const large = Buffer.alloc(20 * 1024 * 1024, 'keelson');
  t.is((await key.upload(all, [{ name: 'small.txt' }, { name: 'large.bin', bytes: large }])).status, 201);
  const rows = await storedAttachments(app);
  t.deepEqual(
    [...store.objects.keys()].toSorted(),
    rows.map(({ stored_as }) => `/bucket/acme/${stored_as}`).toSorted(),
  );
  t.true(store.requests.filter((each) => each.includes('partNumber')).length >= 2);
  t.deepEqual(await arrived(app), []);
  const one = (n: number) => `/tickets.php?action=attachment&id=${ticket_id}&attachment_id=${n}`;
  t.is((await key.send('GET', one(1))).text, 'hello');
  t.is((await key.send('GET', one(2), { Range: 'bytes=7-13' })).text, 'keelson');
  const whole = await key.send('GET', one(2));
  t.true(whole.text === large.toString());

  const orphan = newKey();
  store.objects.set(`/bucket/acme/${orphan}`, Buffer.from('x'));
  await tidy(app);
  t.false(store.objects.has(`/bucket/acme/${orphan}`));
  t.is(missingFiles(app.app).count, 0);
  t.is((await key.send('DELETE', one(1))).status, 204);
  await until(() => !store.objects.has(`/bucket/acme/${rows[0]?.stored_as}`));
  app.expectError(/1 attachments have no file in storage/);
  store.objects.delete(`/bucket/acme/${rows[1]?.stored_as}`);
  await tidy(app);
  t.is(missingFiles(app.app).count, 1);

  const wrong = s3Storage(app.app.storage.arrivals, {
    ...at,
    endpoint: store.endpoint,
    secretAccessKey: 'guessed',
    fetch,
  });
  const arriving = arrivals(app.app.storage.arrivals);
  arriving.receive('x').end('x');
  const [file] = await arriving.settled();
  await t.throwsAsync(wrong.keep(file ?? { path: '', size: 0 }), { message: /403/ });
  await arriving.discard();
});
