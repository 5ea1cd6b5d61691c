import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { Employee } from '@keelson/modules/directory';
import { startApp, type TestApp } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { asOnlyImport, inImportTurn } from '../../core/http/import-turn.ts';
import { until } from '../_until.ts';
import { seedCompany, seedKey } from '../accounts-seed.ts';

const refused = { message: 'Another import is still running' };

test('one company takes at most half of the slots, and collectors take none of those reserved for people', async (t) => {
  const { app } = await startApp(t);
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const running: string[] = [];
  const run = (kind: 'people' | 'programs') => (owner: string) =>
    asOnlyImport(app, { kind, owner }, () =>
      inImportTurn(app, { kind, owner }, async () => {
        running.push(owner);
        await over;
      }),
    );
  const [people, programs] = [run('people'), run('programs')];

  const started = [people('company:1'), programs('company:1')];
  await t.throwsAsync(people('company:1'), refused);
  await t.throwsAsync(programs('company:1'), refused, 'a second collector of the company is refused');
  started.push(people('company:2'), programs('company:2'));
  for (let n = 3; n < 23; n++) started.push(people(`company:${n}`));
  await t.throwsAsync(people('company:23'), refused, 'twenty wait');
  t.deepEqual(running, ['company:1', 'company:1', 'company:2', 'company:2']);
  end();
  await Promise.all(started);
  t.is(running.length, 24);
  await t.notThrowsAsync(people('company:1'));
});

interface Importer {
  /** Whether the server has an import of this one. */
  imports(): Promise<boolean>;
  /** Starts an import whose body the test sends by hand. */
  begin(headers: Record<string, string | number>): {
    sent: ReturnType<typeof request>;
    answer: Promise<{ status: number | undefined; body: any }>;
  };
  /** Imports people. */
  send(body: string): Promise<{ status: number; body: any }>;
}

async function importer(t: ExecutionContext, app: TestApp): Promise<Importer> {
  const { company_number } = await seedCompany(app);
  const { api_key: token, row: key } = await seedKey(app, 'admin', [
    'contacts:read',
    'contacts:write',
    'contacts:access',
  ]);
  const path = `/admin/api/v1/contacts.php?action=import&company_number=${company_number}`;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' };
  const owner = { kind: 'people', owner: `key:${key.key_id}` } as const;
  return {
    imports: () =>
      asOnlyImport(app.app, owner, async () => false).catch((error: Error) => error.message === refused.message),
    begin(more) {
      const sent = request(app.url + path, { method: 'POST', headers: { ...headers, ...more }, agent: false });
      t.teardown(() => void sent.destroy());
      const answer = once(sent, 'response').then(async ([response]: IncomingMessage[]) => ({
        status: response?.statusCode,
        body: response && (await json(response)),
      }));
      sent.flushHeaders();
      return { sent, answer };
    },
    send: (body) => app.request('POST', path, { headers, body }),
  };
}

/** The temporary files of bodies that arrive. */
const arriving = (app: TestApp) => readdir(app.app.storage.arrivals).catch(() => []);

/** A file with one person, as long as wanted. */
function fileOf(email: string, bytes: number) {
  const text = `first_name,last_name,email\nAnn,Able,${email}\n`;
  return Buffer.from(text.padEnd(bytes, `${' '.repeat(99)}\n`));
}

for (const [name, bytes, headers] of [
  ['large', 3_000_000, { 'Content-Length': 3_000_000 }],
  ['large, without a length', 3_000_000, { 'Transfer-Encoding': 'chunked' }],
  ['small', 10_000, { 'Content-Length': 10_000 }],
] as const) {
  test(`files that arrive slowly keep no other import waiting: ${name}`, async (t) => {
    const app = await startApp(t);
    const slow = [await importer(t, app), await importer(t, app)];
    const files = ['slow0@example.com', 'slow1@example.com'].map((email) => fileOf(email, bytes));
    const lines = slow.map((each) => each.begin(headers));
    for (const [n, { sent }] of lines.entries()) sent.write(files[n]?.subarray(0, bytes / 2));
    for (const each of slow) await until(() => each.imports());
    const other = await importer(t, app);
    const done = await other.send('first_name,last_name,email\nBob,Baker,bob@example.com\n');
    t.like(done, { status: 200, body: { data: { created: 1 } } });
    t.is((await arriving(app)).length, name === 'small' ? 0 : 2);

    // Refused before its file is sent.
    const again = slow[0]?.begin({ 'Content-Length': 30_000_000 });
    t.like(await again?.answer, { status: 429, body: { error: refused.message } });

    for (const [n, { sent }] of lines.entries()) sent.end(files[n]?.subarray(bytes / 2));
    for (const { answer } of lines) t.like(await answer, { status: 200, body: { data: { created: 1 } } });
    t.is(await app.app.database.countBy(Employee, { last_name: 'Able' }), 2);
    t.deepEqual(await arriving(app), []);
  });
}

test('a file that is declared too large is refused before it is sent', async (t) => {
  const app = await startApp(t);
  const { begin } = await importer(t, app);
  const answer = await begin({ 'Content-Length': 2 ** 45 }).answer;
  t.like(answer, { status: 400, body: { error: 'The file must be at most 32 MiB' } });
});

test('a large form is read from disk, and one that is cut off leaves nothing', async (t) => {
  const app = await startApp(t);
  const each = await importer(t, app);
  const file = fileOf('form@example.com', 2_000_000).toString();
  const part = (name: string, text: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
  const disposition = 'Content-Disposition: form-data; name="file"; filename="people.csv"';
  const form = `${part('dry_run', 'true')}--x\r\n${disposition}\r\nContent-Type: text/csv\r\n\r\n${file}\r\n--x--\r\n`;
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': form.length };
  const whole = each.begin(headers);
  whole.sent.end(form);
  t.like(await whole.answer, { status: 200, body: { data: { total: 1, created: 1, dry_run: true } } });
  t.deepEqual(await arriving(app), []);

  const cut = each.begin(headers);
  cut.sent.write(form.slice(0, 1_500_000));
  await until(async () => (await arriving(app)).length === 1);
  cut.sent.destroy();
  await t.throwsAsync(cut.answer);
  await until(async () => (await arriving(app)).length === 0);
  await until(async () => (await each.send(file)).status === 200);
});
