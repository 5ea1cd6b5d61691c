import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { pdfStream } from '../../core/files/documents.ts';
import { contextOf, type Context } from '../../core/plugin/context.ts';
import type { PdfFilter } from '../../packages/files/pdf/list.ts';
import { operators } from '../../packages/files/pdf/sheet.ts';
import type { ExportColumn, ExportRow } from '../../packages/files/write/rows.ts';
import { pagesOf, textOf } from './_pdf-text.ts';

const columns: ExportColumn[] = [
  { key: 'n', label: 'Number' },
  { key: 'subject', label: 'Subject' },
];
const many: ExportColumn[] = [
  { key: 'n', label: 'Ticket number' },
  { key: 'subject', label: 'Subject' },
  { key: 'status', label: 'Status', kind: 'choice' },
  { key: 'priority', label: 'Priority' },
  { key: 'job_type', label: 'Job type' },
  { key: 'company', label: 'Company' },
  { key: 'requester', label: 'Requester' },
  { key: 'assigned', label: 'Assigned to' },
  { key: 'created', label: 'Created', kind: 'moment' },
  { key: 'updated', label: 'Updated', kind: 'moment' },
  { key: 'due', label: 'Due', kind: 'day' },
];

let app: TestApp;
test.before(async () => {
  app = await openApp({ config: { tenantName: 'ACME', timeZone: 'Europe/Berlin' } });
});
test.after.always(() => app?.close());

async function* batches(...all: ExportRow[][]): AsyncGenerator<ExportRow[]> {
  yield* all;
}

interface Given {
  readonly ctx?: Context;
  readonly filters?: readonly PdfFilter[];
  readonly columns?: readonly ExportColumn[];
}

async function documentOf(rows: AsyncIterable<ExportRow[]>, given: Given = {}): Promise<Buffer> {
  const { ctx = app.app.system(), filters = [] } = given;
  const list = { title: 'Tickets', filters, columns: given.columns ?? columns, rows };
  return Buffer.concat(await (await pdfStream(ctx, list)).toArray());
}

/** Returns a context of a company, complete enough for queueing. */
function ofCompany(company_number: number): Context {
  return contextOf({ app: app.app, actor: { company_number }, author: { type: 'employee', id: 1, name: 'E' } });
}

test.serial('a list becomes an A4 landscape document with embedded fonts', async (t) => {
  const pdf = await documentOf(batches([{ n: 1, subject: 'Größe Ωλ Привет' }]));
  t.is(pdf.toString('latin1', 0, 5), '%PDF-');
  t.regex(pdf.toString('latin1'), /\/MediaBox \[0 0 841\.89 595\.28\]/);
  t.regex(pdf.toString('latin1'), /\/FontFile2/);
  t.is(pagesOf(pdf).length, 1);
});

test.serial('a table without rows still makes a document', async (t) => {
  const [page = [], ...more] = pagesOf(await documentOf(batches()));
  t.deepEqual(more, []);
  t.deepEqual(
    page.map(({ text }) => text),
    [
      'Tickets',
      'No filter',
      '0 rows  ·  Times in Europe/Berlin',
      'Number',
      'Subject',
      'Tickets · ACME · 2 Mar 2026, 10:00',
      'Page 1 of ',
      '1',
    ],
  );
});

test.serial('the document has labels, local times and the chosen filters', async (t) => {
  const filters: PdfFilter[] = [
    { label: 'Status', value: 'in_progress', kind: 'choice' },
    { label: 'Created from', value: '2026-03-01T23:00:00.000Z', kind: 'moment' },
    { label: 'Priority', value: undefined },
  ];
  const row = { n: '1001', status: 'in_progress', created: '2026-07-02T22:15:00Z', due: '2026-03-09', assigned: null };
  const [page = []] = pagesOf(await documentOf(batches([row]), { filters, columns: many }));
  const texts = page.map(({ text }) => text);
  t.is(texts[1], 'Status: In progress  ·  Created from: 2 Mar 2026, 00:00');
  t.is(texts[2], '1 row  ·  Times in Europe/Berlin');
  for (const each of ['1001', 'In progress', '3 Jul 2026, 00:15', '9 Mar 2026']) t.true(texts.includes(each), each);
});

test.serial('every page has the table header and page number, and no word is split', async (t) => {
  const row = (n: number): ExportRow => ({
    n: `T-${n}`,
    subject: n === 790 ? 'Accountants’ internationalisation of the telecommunication' : 'The printer prints nothing',
    status: n % 2 ? 'waiting_on_customer' : 'in_progress',
    priority: 3,
    job_type: 'Infrastructure',
    company: 'Manufacturing and Logistics Incorporated',
    requester: 'Maximiliane Hohenstein',
    assigned: 'Bartholomew Featherstonehaugh',
    created: '2026-11-21T09:30:00Z',
    updated: '2026-11-21T09:30:00Z',
    due: '2026-11-21',
  });
  const rows = Array.from({ length: 800 }, (_, n) => row(n));
  const pages = pagesOf(await documentOf(batches(rows.slice(0, 500), rows.slice(500)), { columns: many }));
  t.true(pages.length > 15);
  for (const [at, page] of pages.entries()) {
    t.true(textOf(page).endsWith(`Page ${at + 1} of \n${pages.length}`));
    const words = textOf(page).split(/\s+/);
    const header = at === 0 ? words.slice(words.indexOf('Ticket')) : words;
    t.deepEqual(header.slice(0, 3), ['Ticket', 'number', 'Subject']);
  }
  const words = new Set(pages.flatMap((page) => textOf(page).split(/\s+/)));
  const whole = rows.flatMap((each) => Object.values(each).flatMap((value) => String(value).split(' ')));
  const plain = whole.filter((word) => !/_|:/.test(word) && !/^\d{4}-/.test(word));
  t.deepEqual(
    [...new Set(plain)].filter((word) => !words.has(word)),
    [],
  );
  for (const each of ['In', 'progress', 'Waiting', 'on', 'customer']) t.true(words.has(each), each);
  const numbers = pages.flatMap((page) => page.filter(({ text }) => /^T-\d+$/.test(text)));
  t.is(numbers.length, 800);
});

test.serial('the main thread stays responsive meanwhile', async (t) => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 10);
  await documentOf(batches(Array.from({ length: 1000 }, (_, n) => ({ n, subject: `Printer ${n}` }))));
  clearInterval(timer);
  t.true(ticks > 10, `${ticks} ticks`);
});

test.serial('other scripts are laid out: right to left, without spaces, with marks', async (t) => {
  const subjects = {
    arabic: 'لا تعمل (2) HP',
    hebrew: 'המדפסת לא מדפיסה',
    chinese: '打印机无法打印',
    japanese: 'プリンターが動きません',
    korean: '프린터가 작동하지 않습니다',
    vietnamese: 'Máy in không hoạt động',
    decomposed: 'cafe\u0301',
    unknown: 'a \u{1f9ff}\ufe0f \u0e01 \u0995 b',
  };
  const rows = Object.values(subjects).map((subject, n) => ({ n, subject }));
  const pdf = await documentOf(batches(rows));
  const [page = []] = pagesOf(pdf);
  const at = page.findIndex(({ text }) => text === '0');
  const shown = page
    .slice(at)
    .filter(({ text }, place) => place % 2 === 1 && !text.startsWith('Page'))
    .map((each) => each.text);
  const reversed = (text: string) => Array.from(text).toReversed().join('');
  t.deepEqual(shown.slice(1, 8), [
    reversed(subjects.hebrew),
    subjects.chinese,
    subjects.japanese,
    subjects.korean,
    subjects.vietnamese,
    'café',
    'a \u{1f9ff}\ufe0f \u0e01 \ufffd b',
  ]);
  t.regex(
    shown[0] ?? '',
    /^HP \(2\) /,
    'the end of a line from the right stands on the left, its brackets turned round',
  );
  t.true((page[at + 1]?.x ?? 0) > (page[at + 5]?.x ?? 0) + 100, 'it begins on the right of its column');
});

test('marks keep their places, also two above the same letter', (t) => {
  const glyph = (hex: string, width: number, right = 0, up = 0) => ({ hex, width, advance: width, right, up });
  const drawn = (...glyphs: ReturnType<typeof glyph>[]) => operators({ font: { id: 'F1' }, glyphs }, 10);
  const word = [glyph('0001', 550), glyph('0002', 0, 16), glyph('0003', 0, -49), glyph('0004', 574)];
  t.is(drawn(...word), '/F1 10 Tf [<0001>-16<0002>65<0003>-49<0004>] TJ');
  t.is(
    drawn(glyph('0001', 550), glyph('0002', 0, 16, -20), glyph('0003', 0, -49)),
    '/F1 10 Tf [<0001>] TJ -0.2 Ts [-16<0002>] TJ 0 Ts [65<0003>-49] TJ',
  );
});

test.serial('Thai lines break between words', async (t) => {
  const words = 'ปรับปรุง เซิร์ฟเวอร์ และ เครือข่าย ทั้งหมด ของ บริษัท ใหญ่ เพื่อ ให้ ได้ อย่าง รวดเร็ว ปลอดภัย'.split(' ');
  const subject = Array.from({ length: 4 }, () => words.join('')).join('');
  const [page = []] = pagesOf(await documentOf(batches([{ n: 1, subject }])));
  const lines = page.map(({ text }) => text).filter((each) => /[ก-ฮ]/.test(each));
  t.true(lines.length > 1);
  t.is(lines.join(''), subject);
  for (const each of lines)
    t.true(
      words.some((word) => each.startsWith(word)),
      each,
    );
});

test.serial('Thai text can be copied, also behind a letter that is drawn in two parts', async (t) => {
  const subject = 'กำลังทำงาน น้ำตาล';
  const [page = []] = pagesOf(await documentOf(batches([{ n: 1, subject }])));
  t.true(textOf(page).normalize('NFKC').includes(subject.normalize('NFKC')), textOf(page));
});

test.serial('a long word is broken and does not overflow the page', async (t) => {
  const pages = pagesOf(await documentOf(batches([{ n: 'W'.repeat(2000), subject: 'W'.repeat(5000) }])));
  const shown = pages.flat().filter(({ text }) => /^W+$/.test(text));
  t.is(
    shown.reduce((sum, { text }) => sum + text.length, 0),
    7000,
  );
  t.true(shown.every(({ x, text }) => x > 0 && x + text.length * 6.6 < 841));
});

test.serial('a cell longer than a page continues on the next pages', async (t) => {
  const words = Array.from({ length: 6000 }, (_, n) => `w${n}`);
  const rows = [
    { n: 1, subject: words.join(' ') },
    { n: 2, subject: 'one\ntwo\r\nthree' },
  ];
  const pages = pagesOf(await documentOf(batches(rows)));
  t.true(pages.length > 2);
  t.true(pages.flat().every(({ y }) => y > 10 && y < 590));
  const shown = pages.flatMap((page) => textOf(page).split(/\s+/)).filter((word) => /^w\d+$/.test(word));
  t.deepEqual(shown, words);
  t.true(textOf(pages.at(-1) ?? []).includes('one\ntwo\nthree'));
});

test.serial('headings that would fill a page are cut, and the rows are drawn', async (t) => {
  const label = 'Confirmed by the person responsible '.repeat(7);
  const wide = Array.from({ length: 40 }, (_, i): ExportColumn => ({ key: `c${i}`, label }));
  const pages = pagesOf(await documentOf(batches([{ c0: 'x' }]), { columns: wide }));
  t.true(pages.flat().some(({ text }) => text === 'x'));
  t.true(pages.length <= 2);
});

test.serial('URLs and file names in cells are plain text', async (t) => {
  let connections = 0;
  const server = createServer().on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.png`;
  const cells = [
    url,
    `<img src="${url}">`,
    'file:///etc/passwd',
    '/etc/passwd',
    `data:image/png;base64,AAAA`,
    `{"image":"${url}"}`,
    ') Tj ET (',
  ];
  const pdf = await documentOf(batches(cells.map((subject) => ({ n: { image: url }, subject }))));
  await new Promise((resolve) => server.close(resolve));
  t.is(connections, 0);
  t.notRegex(pdf.toString('latin1'), /\/URI|\/EmbeddedFile|\/JavaScript|\/Launch|\/Subtype \/Image/);
});

test.serial('an error while reading rows reaches the caller, and the next document succeeds', async (t) => {
  async function* broken(): AsyncGenerator<ExportRow[]> {
    yield [{ n: 1 }];
    throw new Error('too many rows');
  }
  await t.throwsAsync(documentOf(broken()), { message: 'too many rows' });
  t.is(pagesOf(await documentOf(batches([{ n: 1 }]))).length, 1);
});

test.serial('rows are read on demand; a company’s queue is limited, and does not affect others', async (t) => {
  const read: string[] = [];
  let open = () => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  async function* rows(name: string, wait?: Promise<void>): AsyncGenerator<ExportRow[]> {
    read.push(name);
    await wait;
    yield [{ n: name }];
  }
  const one = ofCompany(1);
  const first = documentOf(rows('a', gate), { ctx: one });
  const waiting = ['b', 'c', 'd'].map((name) => documentOf(rows(name), { ctx: one }));
  for (let i = 0; i < 16; i++) {
    const refused = await t.throwsAsync(documentOf(rows('never'), { ctx: one }));
    t.like(refused, { kind: 'too-many', headers: { 'Retry-After': '10' } });
  }
  const other = documentOf(rows('other'), { ctx: ofCompany(2) });
  t.deepEqual(read, ['a']);
  open();
  await Promise.all([first, other, ...waiting]);
  t.deepEqual(read, ['a', 'other', 'b', 'c', 'd']);
});

test.serial('10,000 rows take at most 300 MiB, which is released', async (t) => {
  const script = fileURLToPath(new URL('_pdf-memory.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--disable-proto=delete',
    '--max-semi-space-size=16',
    script,
  ]);
  const { most, after } = JSON.parse(stdout) as { most: number; after: readonly number[] };
  t.log(`most ${most} MiB, left after each ${after.join(', ')} MiB`);
  t.true(most <= 300, `${most} MiB`);
  t.true(
    after.every((each) => each <= 200),
    after.join(),
  );
});
