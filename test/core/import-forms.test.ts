// Import files in the formats of other programs: encodings, delimiters, headers, dates, and workbooks.
import { readFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import test from 'ava';
import { strToU8, zipSync } from 'fflate';
import writeExcel from 'write-excel-file/node';
import { z } from 'zod';
import { previewImport, readImport } from '../../core/files/import-file.ts';
import { cellValue, type ImportColumn } from '../../packages/files/read/columns.ts';
import { sheetOf } from '../../packages/files/read/workbook.ts';
import { csvStream } from '../../packages/files/write/csv.ts';
import { makeXlsx } from '../../packages/files/write/xlsx.ts';

const columns: ImportColumn[] = [
  { name: 'machine_name', label: 'Name', type: 'text', required: true, aliases: ['asset name', 'hostname'] },
  { name: 'serial_number', label: 'Serial number', type: 'text', aliases: ['serial', 'service tag'] },
  { name: 'purchase_date', label: 'Purchased', type: 'date', aliases: ['purchase date'] },
  { name: 'in_use', label: 'In use', type: 'boolean' },
];
const spec = { columns, lists: ['assets'], options: z.object({}) };

const upload = (bytes: string | Buffer, type = 'text/csv') => [
  { filename: '', type, bytes: Buffer.from(bytes as string) },
];
async function rowsOf(bytes: string | Buffer, fields: object = {}): Promise<unknown[]> {
  const file = await readImport(spec, { uploads: upload(bytes), fields, query: {} });
  return (await Array.fromAsync(file.rows())).flat();
}
const preview = (bytes: string | Buffer) => previewImport(columns, upload(bytes));

test('files are read in the encodings spreadsheets save', async (t) => {
  const text = 'machine_name;serial_number\r\nMüller’s “PC”;Zoë\r\n';
  const utf16 = Buffer.from(text, 'utf16le');
  const cp1252 = Buffer.from(text.replace('’', '\x92').replace('“', '\x93').replace('”', '\x94'), 'latin1');
  const wanted = [{ machine_name: 'Müller’s “PC”', serial_number: 'Zoë' }];
  for (const [name, bytes] of [
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with its mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 with its mark', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])],
    ['UTF-16 without', utf16],
    ['UTF-16, most significant byte first', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()])],
    ['Windows-1252', cp1252],
  ] as const)
    t.deepEqual(await rowsOf(bytes), wanted, name);
  t.is((await preview(cp1252)).encoding, 'windows-1252');
});

test('the delimiter is the most frequent one in the header, or the one named on the first line', async (t) => {
  const wanted = [{ machine_name: 'PC, 1', serial_number: 'S' }];
  for (const text of [
    'machine_name\tserial_number\nPC, 1\tS\n',
    'machine_name|serial_number\nPC, 1|S\n',
    'sep=;\r\nmachine_name;serial_number\r\nPC, 1;S\r\n',
    '\ufeff"sep=|"\r\nmachine_name|serial_number\r\nPC, 1|S\r\n',
    '"machine_name";serial_number;"Notes, remarks, and ""more"""\nPC, 1;S;\n',
    '\r\n;;\r\nmachine_name;serial_number\r\nPC, 1;S\r\n',
  ])
    t.deepEqual(await rowsOf(text), wanted, text);
});

test('a file that is not a table is reported by its actual type', async (t) => {
  const refused = async (bytes: Buffer, message: string) => {
    await t.throwsAsync(preview(bytes), { message });
    await t.throwsAsync(rowsOf(bytes), { message });
  };
  await refused(Buffer.from('%PDF-1.7'), 'The file is a PDF: export the table as CSV or .xlsx');
  await refused(
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0]),
    'The file is an old Excel workbook (.xls): save it as .xlsx or CSV',
  );
  await t.throwsAsync(previewImport(columns, upload('[{"machine_name": "PC1"}]', 'application/json')), {
    message: 'JSON has no columns to match: send CSV or .xlsx',
  });
  await refused(Buffer.from([0x61, 0, 0, 0x62]), 'The file is not a table: it is a binary file');
  await refused(Buffer.from('PK\x03\x04 and nothing more', 'latin1'), 'The file is not an Excel workbook');
});

test('a workbook is read from its first sheet, with its dates as dates', async (t) => {
  const date = { value: new Date(Date.UTC(2014, 9, 24)), type: Date, format: 'dd/mm/yyyy' };
  const header = ['Asset name', 'Serial', 'Purchase date', 'In use'].map((value) => ({ value }));
  const bytes = await writeExcel([
    header,
    [{ value: 'PC "1"' }, { value: 'S;1' }, date, { value: true, type: Boolean }],
  ]).toBuffer();
  t.deepEqual(await rowsOf(bytes, { profile: 'auto' }), [
    { machine_name: 'PC "1"', serial_number: 'S;1', purchase_date: '2014-10-24', in_use: true },
  ]);
  t.like(await preview(bytes), { total: 1, ambiguous_dates: false });
});

test('an exported workbook can be imported', async (t) => {
  const exported = ['Name', 'Serial', 'Purchase date'].map((label, i) => ({ key: `c${i}`, label }));
  const date = { key: 'c2', label: 'Purchase date', kind: 'day' } as const;
  async function* rows() {
    yield [
      { c0: 'PC', c1: null, c2: '2014-10-24' },
      { c0: 'PC 2', c1: 'S2', c2: null },
    ];
  }
  const { bytes } = await makeXlsx(
    { columns: [...exported.slice(0, 2), date], rows: rows() },
    { zone: 'UTC', decimals: 2 },
  );
  t.deepEqual(await rowsOf(Buffer.from(bytes), { profile: 'auto' }), [
    { machine_name: 'PC', purchase_date: '2014-10-24' },
    { machine_name: 'PC 2', serial_number: 'S2' },
  ]);
});

test('texts of an exported CSV file are imported as they were', async (t) => {
  const texts = [
    '+49 30 1234567',
    '@home',
    '- first\n- second',
    'a;=b',
    '\u200b=1',
    '＋49',
    "'quoted'",
    "it's - so",
    '-5',
  ];
  const exported = ['machine_name', 'serial_number'].map((key) => ({ key, label: key }));
  async function* rows() {
    yield texts.map((serial_number) => ({ machine_name: 'PC', serial_number }));
  }
  const file = await textOf(csvStream(exported, rows()));
  t.regex(file, /"'\+49 30/);
  t.deepEqual(
    await rowsOf(file),
    texts.map((serial_number) => ({ machine_name: 'PC', serial_number: serial_number.trim() })),
  );
});

test('calculated numbers of a workbook are read as they are shown', async (t) => {
  const number = (value: number) => ({ value, type: Number });
  const bytes = await writeExcel([
    ['Name', 'Serial', 'Purchase date'].map((value) => ({ value })),
    [{ value: 'PC' }, number(0.1 + 0.2), number(41_936)],
    [{ value: 'PC' }, number(501_234_567_890_123), number(41_936.25)],
  ]).toBuffer();
  t.deepEqual(await rowsOf(bytes, { profile: 'auto' }), [
    { machine_name: 'PC', serial_number: '0.3', purchase_date: '2014-10-24' },
    { machine_name: 'PC', serial_number: '501234567890123', purchase_date: '2014-10-24' },
  ]);
});

test('columns of other tools are recognised by profile, and a mapping overrides them', async (t) => {
  const text = 'Asset Name,Serial,Notes\nPC1,S1,old\n';
  await t.throwsAsync(rowsOf(text), { message: 'The file must have a header with the columns: machine_name' });
  t.deepEqual(await rowsOf(text, { profile: 'snipe-it' }), [{ machine_name: 'PC1', serial_number: 'S1' }]);
  const mapping = JSON.stringify({ Notes: 'machine_name', Serial: '' });
  t.deepEqual(await rowsOf(text, { profile: 'auto', mapping }), [{ machine_name: 'old' }]);
  for (const [wrong, message] of [
    ['no JSON', 'mapping must be a JSON object from columns to fields'],
    ['{"Notes": 7}', 'mapping must be a JSON object from columns to fields'],
    ['{"Notes": "shoe_size"}', 'mapping contains shoe_size, which is not a field'],
    ['{"Notes": "machine_name", "Serial": "machine_name"}', 'The column machine_name appears twice'],
  ] as const)
    await t.throwsAsync(rowsOf(text, { mapping: wrong }), { message });
});

test('a title above the header is skipped', async (t) => {
  const wanted = [{ machine_name: 'PC1', serial_number: 'S1' }];
  const table = 'Asset Name;Serial;Notes\nPC1;S1;"old; broken"\n';
  for (const title of ['Assets of Acme\n', 'Assets of Acme;;\n\n', '"Assets; all of them"\nCreated on 1 June\n;;\n']) {
    const text = `${title}${table}`;
    t.deepEqual(await rowsOf(text, { profile: 'auto' }), wanted, title);
    t.deepEqual(await rowsOf(text, { mapping: '{"Asset Name": "machine_name", "Serial": "serial_number"}' }), wanted);
    const seen = await preview(text);
    t.deepEqual([seen.total, seen.delimiter, seen.columns[1]?.field], [1, ';', 'serial_number'], title);
    await t.throwsAsync(rowsOf(text), { message: /^The file must have a header/ });
  }
  const workbook = await writeExcel(
    [['Assets of Acme'], ['Asset Name', 'Serial'], ['PC1', 'S1']].map((row) => row.map((value) => ({ value }))),
  ).toBuffer();
  t.deepEqual(await rowsOf(workbook, { profile: 'auto' }), wanted);
  // A single column, known or not, has no title.
  t.deepEqual(await rowsOf('Hostname\nPC1\nPC2, old\n', { profile: 'auto' }), [
    { machine_name: 'PC1' },
    'Row has more cells than the header',
  ]);
  t.is((await preview('Foo\nPC1\n')).columns[0]?.name, 'Foo');
});

test('of two columns with the same name the non-empty one is guessed, and each has its own mapping name', async (t) => {
  const text = readFileSync(new URL('../_files/snipe-it.csv', import.meta.url));
  const seen = await preview(text);
  t.deepEqual(
    seen.columns.filter(({ field }) => field !== null).map(({ name, field }) => [name, field]),
    [
      ['Name (2)', 'machine_name'],
      ['Serial Number', 'serial_number'],
      ['Purchase Date', 'purchase_date'],
    ],
  );
  t.like(seen, { total: 1, dates: 'dmy', ambiguous_dates: false });
  t.deepEqual(await rowsOf(text, { profile: 'auto' }), [
    { machine_name: 'PC1', serial_number: 'SER1', purchase_date: '2014-10-24' },
  ]);
});

test('a name that takes precedence is used in place of the field’s own, if it has values', async (t) => {
  const titled: ImportColumn[] = [...columns, { name: 'title', label: 'Title', type: 'text', ahead: ['job title'] }];
  const read = async (text: string, fields: object = {}) => {
    const upon = { uploads: upload(text), fields: { profile: 'auto', ...fields }, query: {} };
    return (await Array.fromAsync((await readImport({ ...spec, columns: titled }, upon)).rows())).flat();
  };
  const row = (title: string) => [{ machine_name: 'PC', title }];
  t.deepEqual(await read('Name,Title,Job Title\nPC,Mr,Clerk\n'), row('Clerk'));
  t.deepEqual(await read('Name,Title,Job Title\nPC,Clerk,\n'), row('Clerk'));
  t.deepEqual(await read('Name,Title,Job Title\nPC,Mr,Clerk\n', { mapping: '{"Title":"title"}' }), row('Mr'));
});

test('a yes-or-no field is not guessed for a column of other values, such as the names of managers', async (t) => {
  const flagged: ImportColumn[] = [...columns, { name: 'ismgr', label: 'Manager', type: 'boolean' }];
  const read = async (text: string) => {
    const upon = { uploads: upload(text), fields: { profile: 'auto' }, query: {} };
    return (await Array.fromAsync((await readImport({ ...spec, columns: flagged }, upon)).rows())).flat();
  };
  t.deepEqual(await read('Name,Manager\nPC,"CN=Bo,OU=Staff"\n'), [{ machine_name: 'PC' }]);
  t.deepEqual(await read('Name,Manager\nPC,yes\nPD,\n'), [{ machine_name: 'PC', ismgr: true }, { machine_name: 'PD' }]);
});

test('the dates of a file from another program are read as its clear ones say', async (t) => {
  const text = 'Name,Purchase Date\nPC1,1/2/2019\nPC2,1/30/2027\n';
  t.deepEqual(await rowsOf(text, { profile: 'auto' }), [
    { machine_name: 'PC1', purchase_date: '2019-01-02' },
    { machine_name: 'PC2', purchase_date: '2027-01-30' },
  ]);
  const [first] = await rowsOf(text.replace('1/30', '30/1'), { profile: 'auto' });
  t.like(first, { purchase_date: '2019-02-01' });
});

test('dates are read in the given format, or without one only if unambiguous', (t) => {
  const [, , column] = columns;
  if (!column) return t.fail();
  for (const [text, forms, wanted] of [
    ['2014-10-24', {}, '2014-10-24'],
    ['24.10.2014', {}, '2014-10-24'],
    ['03.04.2014', {}, '2014-04-03'],
    ['03.04.2014', { dates: 'mdy' }, '2014-03-04'],
    ['24/10/14', {}, '2014-10-24'],
    ['10/24/2014', {}, '2014-10-24'],
    ['24/10/2014', { dates: 'ymd' }, '24/10/2014'],
    ['24.10.2014', { dates: 'dmy' }, '2014-10-24'],
    ['10/24/14 13:05', { dates: 'mdy' }, '2014-10-24'],
    ['1/2/2014', { dates: 'dmy' }, '2014-02-01'],
    ['24/10/2014', { dates: 'mdy' }, '24/10/2014'],
    ['31.2.2014', { dates: 'dmy' }, '31.2.2014'],
    ['24/10/2014', {}, '2014-10-24'],
    ['3/4/2014', {}, '3/4/2014'],
    ['4/4/2014', {}, '2014-04-04'],
    ['31/31/2014', {}, '31/31/2014'],
    ['2014/10/24', {}, '2014-10-24'],
    ['2014.10.24.', {}, '2014-10-24'],
    ['24. 10. 2014', { dates: 'dmy' }, '2014-10-24'],
    ['10/24/2014, 1:05:00 PM', { dates: 'mdy' }, '2014-10-24'],
    ['2014-10-24T23:30:00+02:00', {}, '2014-10-24'],
    ['Fri Oct 24, 2014', {}, '2014-10-24'],
    ['24-Oct-14', { dates: 'mdy' }, '2014-10-24'],
    ['Freitag, 24. Oktober 2014', {}, '2014-10-24'],
    ['3. März 2020', {}, '2020-03-03'],
    ['1er août 2014', {}, '2014-08-01'],
    ['24 de octubre de 2014', {}, '2014-10-24'],
    ['2014-Oct-24', {}, '2014-10-24'],
    ['20141024', {}, '2014-10-24'],
    ['41936', {}, '2014-10-24'],
    ['41936.75', {}, '2014-10-24'],
    ['2014年10月24日', {}, '2014-10-24'],
    ['31 June 2014', {}, '31 June 2014'],
    ['10102014', {}, '10102014'],
    ['Oct-24', {}, 'Oct-24'],
    ['0000-00-00', {}, undefined],
    ['N/A', {}, undefined],
    ['-', {}, undefined],
    ['soon', { dates: 'dmy' }, 'soon'],
  ] as const)
    t.is(cellValue(column, text, forms), wanted, `${text} ${JSON.stringify(forms)}`);
});

test('the first date that a program knows is no date, and years before 1000 are none', (t) => {
  const [, , column] = columns;
  if (!column) return t.fail();
  for (const text of [
    '0001-01-01',
    '0001-01-01T00:00:00',
    '1/1/0001 12:00:00 AM',
    '01.01.0001 00:00:00',
    '1899-12-30',
    '30.12.1899 00:00:00',
    '12/30/1899',
    '1/0/1900',
    '00.01.1900',
    '1900-01-00',
  ])
    for (const dates of [undefined, 'dmy', 'mdy'] as const) t.is(cellValue(column, text, { dates }), undefined, text);
  t.is(cellValue(column, '0019-05-31'), '0019-05-31');
  t.is(cellValue(column, '1/10/1900', { dates: 'mdy' }), '1900-01-10');
});

test('numbers are read as spreadsheets of any country write them', (t) => {
  const read = (type: ImportColumn['type'], text: string) => cellValue({ name: 'n', label: 'N', type }, text);
  for (const [text, wanted] of [
    ['1,234.50', 1234.5],
    ['1.234,50 €', 1234.5],
    ["CHF 1'234.50", 1234.5],
    ['1 234,50 zł', 1234.5],
    ['₹12,34,567.00', 1_234_567],
    ['US$ 12.5', 12.5],
    ['-$5.00', -5],
    ['5.00-', -5],
    ['(50.00)', -50],
    ['5,-', 5],
    ['0.125', 0.125],
    ['0,125', 0.125],
    ['735.0000', 735],
    ['1234.567', 1234.567],
    ['1.234', 1234],
    ['1,234', 1234],
    ['1.234.567', 1_234_567],
    ['7,5 h', 7.5],
    ['1,2,3', '1,2,3'],
    ['1.23.4', '1.23.4'],
    ['1e3', '1e3'],
    ['5%', '5%'],
    ['some', 'some'],
  ] as const)
    t.is(read('amount', text), wanted, text);
  for (const [text, wanted] of [
    ['36', 36],
    ['36.0', 36],
    ['1,000', 1000],
    ['1.000', 1000],
    ["1'000", 1000],
    ['1.5', '1.5'],
    ['-3', -3],
  ] as const)
    t.is(read('integer', text), wanted, text);
});

test('yes, choices and addresses are read as other programs write them', (t) => {
  const flag = (text: string) => cellValue({ name: 'f', label: 'F', type: 'boolean' }, text);
  for (const each of ['Yes', 'JA', 'oui', '1', '-1', 't', '✓', 'Wahr', 'VERDADERO', 'waar', 'Tacit'])
    t.is(flag(each), true, each);
  for (const each of ['No', 'NEIN', 'non', '0', 'F', 'Falsch', 'FALSO', 'onwaar', 'Never'])
    t.is(flag(each), false, each);
  t.is(flag('maybe'), 'maybe');
  const cycle: ImportColumn = {
    ...{ name: 'c', label: 'C', type: 'choice', options: ['monthly', 'annual'] },
    synonyms: { annual: ['yearly', 'Jährlich'] },
  };
  for (const [text, wanted] of [
    ['Monthly', 'monthly'],
    ['YEARLY', 'annual'],
    ['jährlich', 'annual'],
    ['weekly', 'weekly'],
  ] as const)
    t.is(cellValue(cycle, text), wanted);
  const email = (text: string) => cellValue({ name: 'e', label: 'E', type: 'email' }, text, { guess: true });
  for (const each of [
    'a@example.com',
    'Ann Lee <a@example.com>',
    'mailto:a@example.com',
    'SMTP:a@example.com',
    'a@example.com ::: b@example.com',
    'a@example.com; b@example.com',
    'a@example.com\nb@example.com',
  ])
    t.is(email(each), 'a@example.com', each);
  t.is(email('a b@example.com'), 'a b@example.com', 'a space is a typing error');
  t.is(email('nobody'), 'nobody');
  const ip = (text: string) => cellValue({ name: 'ip', label: 'IP', type: 'text', first: true }, text);
  t.is(ip('192.0.2.1, 192.0.2.2'), '192.0.2.1');
  t.is(ip('192.0.2.1<br>2001:db8::1'), '192.0.2.1');
  t.is(ip('N/A'), undefined);
});

test('a preview asks whether the day or month comes first', async (t) => {
  const of = async (...dates: readonly string[]) => {
    const seen = await preview(`Name,Purchase date\n${dates.map((each) => `PC,${each}`).join('\n')}\n`);
    return [seen.dates, seen.ambiguous_dates];
  };
  t.deepEqual(await of('3/4/2014', '5/6/2014'), [null, true]);
  t.deepEqual(await of('3/4/2014', '24/6/2014'), ['dmy', false]);
  t.deepEqual(await of('3/4/2014', '6/24/2014'), ['mdy', false]);
  t.deepEqual(await of('', ''), [null, false]);
});

test('cells without a date do not keep the form of the others from being found', async (t) => {
  for (const none of ['N/A', '0000-00-00', '00/00/0000', 'soon']) {
    const text = (...dates: readonly string[]) =>
      `Name,Purchase date\n${dates.map((each) => `PC,${each}`).join('\n')}\n`;
    t.like(await preview(text('3/4/2014', none)), { dates: null, ambiguous_dates: true }, none);
    t.like(await preview(text('3/4/2014', none, '24/6/2014')), { dates: 'dmy', ambiguous_dates: false }, none);
    const [first] = await rowsOf(text('3/4/2014', none, '24/6/2014'), { profile: 'auto' });
    t.like(first, { purchase_date: '2014-04-03' }, none);
  }
});

/** A workbook with this XML between the tags of its only sheet, and a text that cells share. */
function workbook(sheet: string, shared = ''): Buffer {
  const ns = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const at = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const relations = (type: string, target: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${at}/${type}" Target="${target}"/></Relationships>`;
  const parts = {
    ...(shared !== '' && { 'xl/sharedStrings.xml': `<sst ${ns}><si><t>${shared}</t></si></sst>` }),
    '_rels/.rels': relations('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook ${ns} xmlns:r="${at}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations('worksheet', 'worksheets/sheet1.xml').replace(
      '</',
      `<Relationship Id="rId2" Type="${at}/sharedStrings" Target="sharedStrings.xml"/></`,
    ),
    'xl/worksheets/sheet1.xml': `<worksheet ${ns}><sheetData>${sheet}</sheetData></worksheet>`,
  };
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]))));
}

test('a number that is too large for a date, in a cell formatted as one, is read as spreadsheets show it', async (t) => {
  const large = { value: 123_456_789, type: Number, format: 'dd/mm/yyyy' };
  const bytes = await writeExcel([
    ['Name', 'Serial', 'Purchase date'].map((value) => ({ value })),
    [{ value: 'PC' }, { value: 'S1' }, large],
    [{ value: 'PC 2' }, large, { value: new Date(Date.UTC(2014, 9, 24)), type: Date, format: 'dd/mm/yyyy' }],
  ]).toBuffer();
  t.deepEqual(await rowsOf(bytes, { profile: 'auto' }), [
    { machine_name: 'PC', serial_number: 'S1', purchase_date: '####' },
    { machine_name: 'PC 2', serial_number: '####', purchase_date: '2014-10-24' },
  ]);
});

test('a workbook whose cells have no references, or look like one in a text, is read', async (t) => {
  const cell = (text: string, more = '') => `<c t="inlineStr"${more}><is><t>${text}</t></is></c>`;
  const bare = `<row>${cell('Name')}${cell('Größe')}</row><row/><row r="4">${cell('PC')}<c/><c><v>7</v></c></row>`;
  t.is((await sheetOf(workbook(bare))).toString(), 'Name,Größe,\n,,\n,,\nPC,,7\n');
  const wide = `<row>${'<c/>'.repeat(27)}${cell('AB', ' r="AB1"')}${cell('AC')}</row>`;
  t.is((await sheetOf(workbook(wide))).toString(), `${','.repeat(27)}AB,AC\n`);
  const text = 'Choose r="Printer" or r="XFD1048576"';
  t.is(
    (await sheetOf(workbook('<row r="1"><c r="A1" t="s"><v>0</v></c></row>', text))).toString(),
    `"${text.replaceAll('"', '""')}"\n`,
  );
});

test('a workbook with cells far apart, or too large for memory, is rejected and does not crash anything', async (t) => {
  const cell = (at: string) => `<row><c r="${at}"><v>7</v></c></row>`;
  t.is((await sheetOf(workbook(cell('A1') + cell('B2')))).toString(), '7,\n,7\n');
  const message = 'The workbook is too large: save its sheet as CSV';
  const far = ['XFD1048576', 'ZZZZZZ99999999', 'A99999999', 'AAAA1', '&#88;FD1048576'];
  for (const each of far) await t.throwsAsync(sheetOf(workbook(cell('A1') + cell(each))), { message }, each);
  const row = (n: number) => `<row r="${n}"><c r="A${n}" t="s"><v>0</v></c></row>`;
  const rows = (count: number) => Array.from({ length: count }, (_, i) => row(i + 1)).join('');
  t.is((await sheetOf(workbook(rows(2), 'text'))).toString(), 'text\ntext\n');
  for (const letter of ['x', '漢']) {
    const shared = workbook(rows(20_000), letter.repeat(2000));
    await t.throwsAsync(sheetOf(shared), { message }, 'longer than a CSV file may be');
  }
  const wide = workbook(`<row r="1">${'<c><v>1</v></c>'.repeat(4_000_000)}</row>`);
  await t.throwsAsync(sheetOf(wide), { message: /^The (?:workbook is too large|file is not an Excel workbook)/ });
});
