import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inflateSync } from 'node:zlib';
import test from 'ava';
import type { ExportRow } from '../../core/files/export-rows.ts';
import { pdfStream } from '../../core/files/pdf.ts';

const info = { author: 'ACME', createdAt: '2026-11-21T09:30:00.000Z' };
const columns = [
  { key: 'n', label: 'Number' },
  { key: 'subject', label: 'Subject' },
];

async function* batches(...all: ExportRow[][]): AsyncGenerator<ExportRow[]> {
  yield* all;
}

async function document(rows: AsyncIterable<ExportRow[]>): Promise<Buffer> {
  return Buffer.concat(await (await pdfStream('Tickets', columns, rows, info)).toArray());
}

const pages = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length;

/** The drawing operators of all pages. */
function drawn(pdf: Buffer): string {
  const parts: string[] = [];
  for (let from = pdf.indexOf('stream\n'); from >= 0; from = pdf.indexOf('stream\n', from + 7)) {
    if (pdf.toString('latin1', from - 3, from) === 'end') continue;
    try {
      parts.push(inflateSync(pdf.subarray(from + 7)).toString('latin1'));
    } catch {
      // A stream that is not compressed is no page.
    }
  }
  return parts.join('\n');
}

test('a list becomes an A4 landscape document with its font inside', async (t) => {
  const pdf = await document(batches([{ n: 1, subject: 'Größe Ωλ Привет' }]));
  t.is(pdf.toString('latin1', 0, 5), '%PDF-');
  t.regex(pdf.toString('latin1'), /\/MediaBox \[0 0 841\.89 595\.28\]/);
  t.regex(pdf.toString('latin1'), /\/FontFile2/);
  t.is(pages(pdf), 1);
});

test('no rows still make a document', async (t) => {
  t.is(pages(await document(batches())), 1);
});

test('many rows fill pages, and the main thread goes on meanwhile', async (t) => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 10);
  const rows = Array.from({ length: 1000 }, (_, n) => ({ n, subject: `Printer ${n}` }));
  const pdf = await document(batches(rows.slice(0, 500), rows.slice(500)));
  clearInterval(timer);
  t.true((pages(pdf) ?? 0) > 15);
  t.true(ticks > 10, `${ticks} ticks`);
});

test('a long word is broken and pushes nothing off the page', async (t) => {
  const pdf = await document(batches([{ n: 'W'.repeat(2000), subject: 'W'.repeat(5000) }]));
  const places = [...drawn(pdf).matchAll(/1 0 0 1 ([\d.]+) [\d.]+ Tm/g)].map(([, x]) => Number(x));
  t.true(places.length > 20);
  t.true(places.every((x) => x > 0 && x < 841));
});

test('addresses and files in cells are only text', async (t) => {
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
  ];
  const pdf = await document(batches(cells.map((subject) => ({ n: { image: url }, subject }))));
  await new Promise((resolve) => server.close(resolve));
  t.is(connections, 0);
  t.notRegex(pdf.toString('latin1'), /\/URI|\/EmbeddedFile|\/JavaScript|\/Launch|\/XObject \/Subtype \/Image/);
});

test('what fails while rows are read is the caller’s error', async (t) => {
  async function* broken(): AsyncGenerator<ExportRow[]> {
    yield [{ n: 1 }];
    throw new Error('too many rows');
  }
  await t.throwsAsync(document(broken()), { message: 'too many rows' });
});
