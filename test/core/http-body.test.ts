// Allowed content and content types of request bodies.
import { connect } from 'node:net';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { until } from '../_until.ts';
import { admins, probe, probeKey } from './_probe.ts';

const notes = `${admins}/probe/notes.php`;
const upload = `${admins}/probe/upload.php`;
const MIB = 1024 * 1024;

async function start(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t, { plugins: [probe()] });
  const token = await probeKey(app);
  const post = (body: string | Buffer, headers: Record<string, string> = {}, path = notes) =>
    app.request('POST', path, { token, headers, body });
  const count = async () => (await app.request('GET', `${admins}/probe/count.php`)).body.given as number;
  return { app, token, post, count };
}

const nested = (depth: number) => `{"body":"x","more":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

test('a body is one JSON object in UTF-8, within limits', async (t) => {
  const { post, count } = await start(t);
  const refusals: [string | Buffer, RegExp][] = [
    ['{"body":', /must be a JSON object/],
    ['[{"body":"x"}]', /must be a JSON object/],
    ['"text"', /must be a JSON object/],
    ['null', /must be a JSON object/],
    ['7', /must be a JSON object/],
    ['body=x', /must be a JSON object/],
    ['\ufeff{"body":"x"}', /must be a JSON object/],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /must be UTF-8/],
    [nested(33), /nested more than 32 levels deep/],
    ['['.repeat(100_000), /more than 5000 names and 10000 list items/],
    [`{${Array.from({ length: 5001 }, (_, i) => `"k${i}":1`).join(',')}}`, /more than 5000 names/],
    [`{"body":"x","list":[${'1,'.repeat(10_000)}1]}`, /more than 10000 list items/],
    ['{"body":"x","__proto__":{"admin":true}}', /forbidden property name/],
    ['{"body":"x","a":{"constructor":{"prototype":{}}}}', /forbidden property name/],
    ['{"body":"x","\\u005f_proto__":1}', /forbidden property name/],
    ['{"body":"a\\u0000b"}', /NUL/],
    ['{"body":"\\ud800"}', /surrogates/],
    ['{"body":"x","n":1e400}', /smaller number/],
    ['{"body":7}', /body must be text/],
    ['{"body":null}', /body must not be null/],
    ['{"body":"  "}', /body is required/],
    ['', /body is required/],
    ['{}', /body is required/],
    [`{"body":"${'x'.repeat(201)}"}`, /at most 200 characters/],
  ];
  for (const [body, message] of refusals) {
    const answer = await post(body);
    const name = String(body).slice(0, 60);
    t.is(answer.status, 400, name);
    t.regex(answer.body.error, message, name);
  }
  t.is(await count(), 0);
  t.is((await post(nested(32))).status, 201);
  t.is((await post('{"body":"first","body":"last"}')).body.data.body, 'last');
  t.is(({} as Record<string, unknown>)['admin'], undefined);
});

test('more than 1 MiB is too large, by Content-Length or while reading', async (t) => {
  const { app, token, post, count } = await start(t);
  const filled = (size: number) => {
    const frame = '{"body":"x","rest":""}';
    return frame.replace('""', `"${'y'.repeat(size - frame.length)}"`);
  };
  t.is((await post(filled(MIB))).status, 201);
  const larger = await post(filled(MIB + 1));
  t.is(larger.status, 413);
  t.deepEqual(larger.body, { success: false, error: 'Request body is too large' });
  const chunked = await fetch(app.url + notes, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: new Blob([filled(MIB + 1)]).stream(),
    duplex: 'half',
  } as RequestInit);
  t.is(chunked.status, 413);
  t.is(await count(), 1);
});

test('after a body that is too large, the connection still serves requests', async (t) => {
  const { app, token } = await start(t);
  const { port, host } = new URL(app.url);
  const form = 'Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin';
  const posts = [
    [notes, `Authorization: Bearer ${token}`],
    ['/admin/login', form],
  ] as const;
  for (const [path, headers] of posts) {
    const socket = connect(Number(port), '127.0.0.1');
    t.teardown(() => socket.destroy());
    const answers: string[] = [];
    socket.on('data', (bytes) => answers.push(...(bytes.toString().match(/^HTTP\/1\.1 \d+/gm) ?? [])));
    const chunk = `${MIB.toString(16)}\r\n${'y'.repeat(MIB)}\r\n`;
    socket.write(`POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    socket.write(chunk + chunk);
    await until(() => answers.length === 1);
    socket.write(`${chunk}0\r\n\r\nGET /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await until(() => answers.length === 2, 20);
    t.deepEqual(answers, ['HTTP/1.1 413', 'HTTP/1.1 200']);
  }
});

test('compressed bodies are rejected', async (t) => {
  const { post, count } = await start(t);
  for (const encoding of ['gzip', 'deflate', 'br', 'GZIP', 'gzip, identity']) {
    const answer = await post('{"body":"x"}', { 'Content-Encoding': encoding });
    t.is(answer.status, 400, encoding);
    t.is(answer.body.error, 'Content-Encoding is not supported');
  }
  t.is(await count(), 0);
  t.is((await post('{"body":"x"}', { 'Content-Encoding': 'identity' })).status, 201);
});

test('the body is parsed as JSON whatever type is declared', async (t) => {
  const { post } = await start(t);
  const types = ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'text/csv', 'nonsense', ''];
  for (const type of [...types, 'application/json; charset=utf-16', 'multipart/form-data; boundary=x']) {
    t.is((await post('{"body":"x"}', type ? { 'Content-Type': type } : {})).status, 201, type);
  }
});

test('an action without parameters accepts an empty body but not invalid JSON', async (t) => {
  const { post } = await start(t);
  const { body: note } = await post('{"body":"x"}');
  const copy = (body: string) => post(body, {}, `${notes}?action=copy&id=${note.data.note_id}`);
  t.is((await copy('')).status, 201);
  t.is((await copy('{"whatever":1}')).status, 201);
  t.is((await copy('{')).status, 400);
  t.is((await copy(`"${'x'.repeat(MIB)}"`)).status, 413);
});

test('uploads accept CSV, multipart and JSON, including arrays', async (t) => {
  const { app, token, post } = await start(t);
  const csv = await post('a,b\n1,2\n', { 'Content-Type': 'text/csv; charset=utf-8' }, upload);
  t.deepEqual(csv.body, { given: [['', 'text/csv', 8]] });
  const array = await post('[{"a":1}]', { 'Content-Type': 'application/json' }, upload);
  t.deepEqual(array.body, { given: [{ a: 1 }] });
  const form = new FormData();
  form.set('kind', 'assets');
  form.set('file', new Blob(['a,b\n'], { type: 'text/csv' }), '../../etc/passwd');
  const headers = { Authorization: `Bearer ${token}` };
  const sent = await fetch(app.url + upload, { method: 'POST', headers, body: form });
  t.is(sent.status, 200);
  t.deepEqual(await sent.json(), { given: [['../../etc/passwd', 'text/csv', 4]] });
  const quoted = new FormData();
  quoted.set('file', new Blob(['']), 'Ümläut "1".csv');
  const named = await fetch(app.url + upload, { method: 'POST', headers, body: quoted });
  t.deepEqual(await named.json(), { given: [['Ümläut "1".csv', 'application/octet-stream', 0]] });
  const fields = new FormData();
  for (let n = 0; n < 51; n++) fields.set(`field${n}`, 'x');
  t.is((await fetch(app.url + upload, { method: 'POST', headers, body: fields })).status, 400);
  const long = new FormData();
  long.set('field', 'x'.repeat(MIB));
  t.is((await fetch(app.url + upload, { method: 'POST', headers, body: long })).status, 413);
  const big = new FormData();
  big.set('file', new Blob([Buffer.alloc(10 * MIB + 1)]), 'big.bin');
  const refused = await fetch(app.url + upload, { method: 'POST', headers, body: big });
  t.is(refused.status, 413);
  await refused.text();
  t.is((await post(Buffer.alloc(10 * MIB + 1, 'x'), { 'Content-Type': 'text/csv' }, upload)).status, 413);
  for (const body of ['nonsense', '--x\r\nContent-Disposition: form-data; name="a"']) {
    const broken = await post(body, { 'Content-Type': 'multipart/form-data; boundary=x' }, upload);
    t.is(broken.status, 400, body);
    t.is(broken.body.error, 'The upload could not be read');
  }
  t.is((await post('x', { 'Content-Type': 'multipart/form-data' }, upload)).status, 400, 'no boundary');
});

test('a page’s form is flat, within the limit, and the last of duplicate names wins', async (t) => {
  const app = await startApp(t);
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' };
  const signIn = (body: string) => app.request('POST', '/admin/login', { headers, body });
  const shown = async (body: string) =>
    /name="email" type="email" value="([^"]*)"/.exec((await signIn(body)).text)?.[1];
  t.is(await shown('email=first@example.com&email=last+one@example.com&password=x'), 'last one@example.com');
  t.is(await shown('email=%C3%BC@example.com&password=x&password[a]=1&a.b=2&__proto__[email]=y'), 'ü@example.com');
  t.regex((await signIn('email[0]=a@example.com&password=x')).text, /email is required/);
  t.is((await signIn(`email=a@example.com&password=${'x'.repeat(MIB)}`)).status, 413);
});
