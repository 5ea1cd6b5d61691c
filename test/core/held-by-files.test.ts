// No uploaded file may block the event loop for more than a fifth of a second, whatever it consists of.
import { startApp } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { z } from 'zod';
import { readImport } from '../../core/files/import-file.ts';
import { outlineOf } from '../../packages/files/read/json.ts';
import { tenth } from '../_random.ts';
import { admins, probe, probeKey } from './_probe.ts';
import { watchLoop } from './_watch-loop.ts';

const MOST_MS = 200;
/** Compilation and garbage collection slow down single attempts: only a file that is slow every time fails. */
const TRIES = 3;
const MIB = 1024 * 1024;

async function shortestHold(work: () => Promise<unknown>): Promise<number> {
  let best = Infinity;
  for (let i = 0; i < TRIES && best >= MOST_MS; i++) {
    const watch = watchLoop();
    await work().finally(watch.stop);
    best = Math.min(best, watch.longest());
  }
  return best;
}

async function heldBy(t: ExecutionContext, name: string, work: () => Promise<unknown>): Promise<void> {
  const ms = await shortestHold(work);
  t.true(ms < MOST_MS, `${name}: ${Math.round(ms)} ms`);
}

test.serial('multipart bodies full of what could be a boundary are read in passing', async (t) => {
  const app = await startApp(t, { plugins: [probe()] });
  const headers = {
    Authorization: `Bearer ${await probeKey(app)}`,
    'Content-Type': 'multipart/form-data; boundary=XXXXXXXXXXXXXXXXXXXXXXXXXXXXXX',
  };
  const boundary = `--${'X'.repeat(30)}`;
  for (const filling of ['\r\n--', '\r', '\r\n', `\r\n${boundary.slice(0, 20)}`, `\r\n${boundary.slice(0, -1)}`, 'X']) {
    const head = `${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n`;
    const body = Buffer.concat([
      Buffer.from(head),
      Buffer.alloc(9 * MIB, filling),
      Buffer.from(`\r\n${boundary}--\r\n`),
    ]);
    await heldBy(t, filling, async () => {
      const answer = await fetch(`${app.url}${admins}/probe/upload.php`, { method: 'POST', headers, body });
      t.deepEqual(await answer.json(), { given: [['a.csv', 'text/plain', 9 * MIB]] });
    });
  }
});

/** Reads a file as an import does: once to validate it, and once for its rows. Returns their number, or the refusal. */
async function read(bytes: Buffer, type: string): Promise<string> {
  const spec = {
    columns: [{ name: 'name', label: 'Name', type: 'text' }],
    lists: ['rows'],
    options: z.object({}),
  } as const;
  try {
    const file = await readImport(spec, { uploads: [{ filename: '', type, bytes }], fields: {}, query: {} });
    let rows = 0;
    for await (const slice of file.rows()) rows += slice.length;
    return `${rows} rows`;
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

const framed = (start: string, filling: string | Buffer, end = '', size = 31 * MIB) =>
  Buffer.concat([Buffer.from(start), Buffer.alloc(size, filling), Buffer.from(end)]);
const names = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',');
const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

const hostile: readonly (readonly [type: string, name: string, make: () => Buffer, answer: RegExp])[] = [
  ['application/json', 'blanks', () => framed('[', ' ', ']'), /^A row of the file is too long$/],
  ['application/json', 'blanks within', () => framed('{"rows":[', '\n', ']}'), /^A row of the file is too long$/],
  ['application/json', 'a text of quotes', () => framed('["', '\\"', '"]'), /^A row of the file is too long$/],
  ['application/json', 'a name of quotes', () => framed('{"', '\\"', '":1}'), /^A row of the file is too long$/],
  ['application/json', 'a CSV of quotes', () => framed('{"csv":"', '\\"', '"}'), /not valid CSV|header/],
  ['application/json', 'a CSV of escapes', () => framed('{"csv":"name\\n', '\\u00e9', '"}', 30 * MIB), /not valid CSV/],
  ['application/json', 'a CSV of letters', () => framed('{"csv":"name\\n', '漢', '"}', 30 * MIB), /not valid CSV/],
  ['application/json', 'depth', () => Buffer.from(`[${Array(80).fill(deep(100_000)).join(',')}]`), /32 levels deep$/],
  [
    'application/json',
    'names',
    () =>
      Buffer.from(
        `[${Array(120)
          .fill(`{${names(20_000)}}`)
          .join(',')}]`,
      ),
    /too many values$/,
  ],
  [
    'application/json',
    'many names',
    () =>
      Buffer.from(
        `[${Array(200)
          .fill(`{${names(17_000)}}`)
          .join(',')}]`,
      ),
    /^200 rows$/,
  ],
  [
    'application/json',
    'lists',
    () =>
      Buffer.from(
        `[${Array(120)
          .fill(`[${'{},'.repeat(80_000)}{}]`)
          .join(',')}]`,
      ),
    /too many values$/,
  ],
  ['text/csv', 'a header of commas', () => framed('', ','), /at most 200 columns$/],
  ['text/csv', 'an open quote', () => framed('"', ','), /not valid CSV/],
  ['text/csv', 'Windows-1252', () => framed('name\n', Buffer.from([0xe9])), /not valid CSV|header|record/],
  [
    'text/csv',
    'UTF-16',
    () => Buffer.concat([Buffer.from('\ufeffname\n', 'utf16le'), Buffer.alloc(30 * MIB, Buffer.from('é', 'utf16le'))]),
    /./,
  ],
  [
    'text/csv',
    'UTF-16 in lines',
    () => Buffer.from(`\ufeffname\n${`${'漢'.repeat(300)}\n`.repeat(49_000)}`, 'utf16le'),
    /^49000 rows$/,
  ],
];

for (const [type, name, make, answer] of tenth(hostile)) {
  test.serial(`an import of ${name} (${type}) holds nobody up`, async (t) => {
    const bytes = make();
    await heldBy(t, name, async () => t.regex(await read(bytes, type), answer));
  });
}

test('a CSV within JSON is decoded in pieces at any character or escape', async (t) => {
  for (const letter of ['x', 'é', '漢', '😀', '\\ud83d\\ude00', '\\u00e9', '\\\\', '\\"']) {
    const value = (JSON.parse(`"${letter}"`) as string).replaceAll('"', '""');
    for (let shift = 0; shift < 12; shift++) {
      const body = `{"csv":"name\\n\\"${'a'.repeat(shift)}${letter.replaceAll('\\"', '\\"\\"').repeat(30_000)}\\""}`;
      const { csv } = await outlineOf(Buffer.from(body), []);
      t.is(csv?.toString(), `name\n"${'a'.repeat(shift)}${value.repeat(30_000)}"`);
    }
  }
  for (const half of ['\\ud83d', '\\ude00', '\\ud83dx', '\\ud83d\\u0041'])
    await t.throwsAsync(outlineOf(Buffer.from(`{"csv":"${'a'.repeat(65_530)}${half}${'a'.repeat(10)}"}`), []), {
      message: 'The file must be UTF-8 text',
    });
});
