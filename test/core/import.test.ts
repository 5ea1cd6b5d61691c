// Reads import files: which are rejected as a whole, and which rows result (X-09 to X-13).
import { input, param } from '@keelson/core';
import { openApp } from '@keelson/testing';
import test from 'ava';
import { z } from 'zod';
import { readImport } from '../../core/files/import-file.ts';
import { importRows, ImportResult } from '../../core/files/import-run.ts';
import { importTemplate, type ImportColumn } from '../../packages/files/read/columns.ts';
import { bareObject } from '../../packages/kit/dictionary.ts';

const columns: ImportColumn[] = [
  { name: 'name', label: 'Name', type: 'text', required: true, max_length: 20, sample: 'Erin' },
  { name: 'age', label: 'Age', type: 'integer' },
  { name: 'is_vip', label: 'VIP', type: 'boolean', sample: true },
  { name: 'key', label: 'Key', type: 'password', most: 2 },
];
const options = z.object({ update_existing: param.flag(), company_number: param.id() });
const spec = { columns, lists: ['people'], options };

const read = (bytes: string | Buffer, type = 'text/csv', more: { filename?: string; fields?: object } = {}) =>
  readImport(spec, {
    uploads: [{ filename: more.filename ?? '', type, bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes }],
    fields: more.fields ?? {},
    query: {},
  });
const json = (value: unknown) => read(JSON.stringify(value), 'application/json');

async function all(file: Awaited<ReturnType<typeof read>>) {
  const rows: unknown[] = [];
  for await (const slice of file.rows()) rows.push(...slice);
  return rows;
}

test('a CSV file: headers in any order and case, unknown columns reported, blank cells not given', async (t) => {
  const file = await read('\ufeffIs VIP;Shoe size;NAME;age\r\nyes;42;"Ann; ""A"""; 7 \r\n;;;\r\n;;Bob;\r\n');
  t.is(file.total, 2);
  t.deepEqual(file.ignored, ['Shoe size']);
  t.deepEqual(await all(file), [{ is_vip: true, name: 'Ann; "A"', age: 7 }, { name: 'Bob' }]);
});

test('a CSV file: unparsable values stay text, a row with too many cells is an error', async (t) => {
  const file = await read('name,age,is_vip\nAnn,old,maybe\nBob,1,0,surplus\nCid,-2,FALSE,\n');
  t.deepEqual(await all(file), [
    { name: 'Ann', age: 'old', is_vip: 'maybe' },
    'Row has more cells than the header',
    { name: 'Cid', age: -2, is_vip: false },
  ]);
});

test('JSON: an array, rows under a name, or a CSV file in a member', async (t) => {
  t.deepEqual(await all(await json([{ name: 'Ann', age: 7, shoe: 1 }, 'Bob', null, [1]])), [
    { name: 'Ann', age: 7 },
    'Row must be an object',
    'Row must be an object',
    'Row must be an object',
  ]);
  for (const list of ['people', 'rows']) {
    const file = await json({ update_existing: true, [list]: [{ Name: 'Ann ]},"\\' }], company_number: 5 });
    t.deepEqual(file.options, { update_existing: true, company_number: 5 });
    t.deepEqual(await all(file), [{ name: 'Ann ]},"\\' }]);
  }
  const csv = await json({ csv: 'name\nAnn "the"\n'.replace('Ann "the"', '"Ann ""the"""'), update_existing: false });
  t.deepEqual(await all(csv), [{ name: 'Ann "the"' }]);
  t.deepEqual((await json([{ name: 'Ann', shoe: 1 }])).ignored, ['shoe']);
});

test('a file too large for memory is read twice and gives the same rows', async (t) => {
  const names = Array.from({ length: 60 }, (_, i) => `Name ${i}`);
  const padding = 'x'.repeat(200_000);
  const csv = await read(`name,shoe\n${names.map((name) => `${name},${padding}`).join('\n')}\n`);
  const rows = names.map((name) => ({ name }));
  t.is(csv.total, 60);
  t.deepEqual(await all(csv), rows);
  const list = await json(names.map((name) => ({ name, shoe: padding })));
  t.deepEqual(list.ignored, ['shoe']);
  t.deepEqual(await all(list), rows);
});

test('the file name or first character tells JSON from CSV; form fields are options', async (t) => {
  const fields = { update_existing: 'true', company_number: '3' };
  const byName = await read('[{"name":"Ann"}]', 'application/octet-stream', { filename: 'x.JSON', fields });
  t.deepEqual(byName.options, { update_existing: true, company_number: 3 });
  t.deepEqual(await all(byName), [{ name: 'Ann' }]);
  t.deepEqual(await all(await read(' [{"name":"Ann"}]', 'application/octet-stream')), [{ name: 'Ann' }]);
  t.deepEqual(await all(await read('name\nAnn', 'application/vnd.ms-excel')), [{ name: 'Ann' }]);
});

test('errors of the whole file are reported before any row', async (t) => {
  const refused = async (of: Promise<unknown>, message: string) => t.is((await t.throwsAsync(of))?.message, message);
  const header = 'The file must have a header with the columns: name';
  await refused(read(''), 'The file has no rows');
  await refused(read('name\n\n,\n'), 'The file has no rows');
  await refused(read('age\n1\n'), header);
  await refused(read('Ann\nBob\n'), header);
  await refused(read('name,NAME\nAnn,Bob\n'), 'The column name appears twice');
  await refused(read('name\n"Ann\n'), 'The file is not valid CSV: line 2');
  await refused(read('name\nAnn\n"B"ob\n'), 'The file is not valid CSV: line 3');
  await refused(read('na"me\nAnn\n'), 'The file is not valid CSV: line 1');
  await refused(read(`name\n${'x'.repeat(300_000)}\n`), 'The file is not valid CSV: line 2');
  await refused(read(Buffer.from([0x6e, 0xff, 0x0a])), header);
  await refused(read(Buffer.from([0x6e, 0x00, 0x61, 0x0a])), 'The file is not a table: it is a binary file');
  await refused(read('%PDF-1.7 …'), 'The file is a PDF: export the table as CSV or .xlsx');
  await refused(json({ csv: 'name\n\ud800nn\n' }), 'The file must be UTF-8 text');
  await refused(read(`${'a,'.repeat(300)}name\n`), 'The file must have at most 200 columns');
  await refused(read(`name\n${'Ann\n'.repeat(50_001)}`), 'The file must have at most 50000 rows');
  await refused(read('name,key\na,1\nb,2\nc,3\n'), 'key may be set in at most 2 rows per file');
  const bad = 'Request body must be a JSON object or array';
  for (const text of [
    '',
    'name\nAnn',
    '5',
    '"[]"',
    '[',
    '[{]',
    '[{}',
    '[{},]',
    '[{} {}]',
    '[{}] x',
    '{"rows":[]',
    '{"rows":[{}],}',
    '{rows:[]}',
    '{"rows" []}',
    '[nope]',
    '[{"name":"Ann]',
  ])
    await refused(read(text, 'application/json'), bad);
  await refused(json([]), 'The file has no rows');
  await refused(json({ rows: [] }), 'The file has no rows');
  await refused(json({ other: [] }), 'One of people, rows, csv is required');
  await refused(json([{ name: 'x'.repeat(300_000) }]), 'A row of the file is too long');
  await refused(json({ rows: [{ name: 'Ann' }], company_number: 'five' }), 'company_number must be a whole number');
});

test('exactly 50,000 rows are accepted', async (t) => {
  t.is((await read(`name\n${'Ann\n'.repeat(50_000)}`)).total, 50_000);
});

test('rows are validated one by one and stored in batches; errors name their field', async (t) => {
  const { app, close } = await openApp();
  t.teardown(close);
  const rows = Array.from({ length: 2403 }, (_, i) => `p${i + 1},${i % 800 === 0 ? 'old' : i}`);
  const file = await read(`name,age\n${rows.join('\n')}\nx,1,2\n,\n,5\n`);
  const batches: number[] = [];
  let running = 0;
  const schema = z.object({ name: input.text(20), age: input.optional(input.int(0, 5000)) });
  const result = await importRows(app.system(), file, schema, async (some) => {
    t.is(++running, 1, 'one batch at a time');
    await Promise.resolve();
    running--;
    batches.push(some.length);
    const taken = some.filter(({ values }) => values.name === 'p700');
    const errors = taken.map(({ row }) => ({ row, field: 'name', error: 'name is taken' }));
    return { created: some.length - errors.length, updated: 0, errors };
  });
  t.true(batches.length > 1);
  t.is(
    batches.reduce((sum, n) => sum + n, 0),
    2399,
  );
  t.deepEqual(result, {
    total: 2405,
    created: 2398,
    updated: 0,
    failed: 7,
    errors: [
      { row: 1, field: 'age', error: 'age must be a whole number' },
      { row: 700, field: 'name', error: 'name is taken' },
      { row: 801, field: 'age', error: 'age must be a whole number' },
      { row: 1601, field: 'age', error: 'age must be a whole number' },
      { row: 2401, field: 'age', error: 'age must be a whole number' },
      { row: 2404, field: '', error: 'Row has more cells than the header' },
      { row: 2405, field: 'name', error: 'name is required' },
    ],
    errors_total: 7,
    ignored_columns: [],
  });
  const failing = importRows(app.system(), file, schema, () => Promise.reject(new Error('The disk is full')));
  t.is((await t.throwsAsync(failing))?.message, 'The disk is full');
});

test('the first 1,000 errors are returned, with the total', async (t) => {
  const { app, close } = await openApp();
  t.teardown(close);
  // Every third row fails when stored; another third fails validation.
  const rows = Array.from({ length: 30_000 }, (_, i) => `p${i + 1},${i % 3 === 0 ? 'old' : 1}`);
  const file = await read(`name,age\n${rows.join('\n')}\n`);
  const schema = z.object({ name: input.text(20), age: input.optional(input.int(0, 5000)) });
  const result = await importRows(app.system(), file, schema, async (some) => {
    const wrong = some.filter(({ row }) => row % 3 === 0);
    const errors = wrong.map(({ row }) => ({ row, field: 'name', error: 'name is taken' }));
    return { created: some.length - errors.length, updated: 0, errors };
  });
  t.like(result, { total: 30_000, created: 10_000, failed: 20_000, errors_total: 20_000 });
  const first = Array.from({ length: 1500 }, (_, i) => i + 1).filter((row) => row % 3 !== 2);
  t.deepEqual(
    result.errors.map(({ row }) => row),
    first,
  );
  t.true(ImportResult.safeParse(result).success);
});

test('a required field missing from all rows is reported, or has its default', async (t) => {
  const { app, close } = await openApp();
  t.teardown(close);
  const stored: unknown[] = [];
  const run = async (rows: unknown[], schema: z.ZodObject) =>
    importRows(app.system(), await json(rows), schema, (some) => {
      stored.push(...some.map(({ values }) => values));
      return Promise.resolve({ created: some.length, updated: 0, errors: [] });
    });
  const name = input.text(20);
  const { errors } = await run([{ age: 5 }, { age: 6 }], z.object({ name, age: input.int(0, 9) }));
  t.deepEqual(
    errors.map((each) => each.error),
    ['name is required', 'name is required'],
  );
  await run(
    [{ name: 'Ann' }],
    z.object({ name, age: input.int(0, 9).default(3), is_vip: input.optional(input.flag()) }),
  );
  const one = z
    .object({ name, age: input.optional(input.int(0, 9)) })
    .refine((row) => row.age !== undefined, 'is too young');
  t.is((await run([{ name: 'Ann' }], one)).failed, 1);
  t.deepEqual(stored, [{ name: 'Ann', age: 3 }]);
});

test('the template lists the columns, a header and a sample', (t) => {
  t.deepEqual(importTemplate(columns), {
    fields: [
      { name: 'name', label: 'Name', type: 'text', required: true, options: [], max_length: 20 },
      { name: 'age', label: 'Age', type: 'integer', required: false, options: [], max_length: null },
      { name: 'is_vip', label: 'VIP', type: 'boolean', required: false, options: [], max_length: null },
      { name: 'key', label: 'Key', type: 'password', required: false, options: [], max_length: null },
    ],
    csv_header: 'name,age,is_vip,key',
    sample: { name: 'Erin', is_vip: true },
  });
});

test('rows of files inherit no properties', (t) => {
  const row = bareObject();
  t.deepEqual(Object.keys(row), []);
  for (const name of ['constructor', 'toString', '__proto__']) t.is(row[name], undefined);
});

test('limits apply while a file is being read: cells per line, empty lines', async (t) => {
  const MIB = 1024 * 1024;
  const within = async (text: string, message: string) => {
    const file = Buffer.from(text);
    let slices = 0;
    const subarray = (from?: number, to?: number) => {
      slices++;
      return Buffer.prototype.subarray.call(file, from, to);
    };
    await t.throwsAsync(read(Object.assign(file, { subarray })), { message });
    t.true(slices > 0 && slices < 20, `${slices} slices for ${message}`);
  };
  await within(`name\n${','.repeat(30 * MIB)}`, 'The file must have at most 200 columns');
  await within(','.repeat(30 * MIB), 'The file must have at most 200 columns');
  await within(`name\n${'\n'.repeat(30 * MIB)}`, 'The file must have at most 100000 lines');
  await within(`name\nAnn\n${'\r\n'.repeat(15 * MIB)}`, 'The file must have at most 100000 lines');
  t.is((await read(`name,age\n"${',\n'.repeat(5)}",1\n`)).total, 1, 'quoted ones are text');
});
