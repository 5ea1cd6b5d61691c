// The worker thread that lays out a PDF (pdf.ts). It receives only text and opens only our own fonts.
import { parentPort, workerData } from 'node:worker_threads';
import { documentTexts } from '../write/texts.ts';
import type { ThreadMessage } from '../write/thread.ts';
import type { PdfJob } from './list.ts';
import { openPdf } from './open.ts';
import { MARGIN, sheetOf, type Sheet } from './sheet.ts';
import { measureTable, tableOn } from './table.ts';
import { typesetter as typesetterOf } from './text.ts';

begin(workerData);

function begin(job: PdfJob): void {
  const { doc, fonts } = openPdf(job, 'landscape');
  const typesetter = typesetterOf(fonts);
  const texts = documentTexts(job.zone, job.words);
  const measure = measureTable(
    typesetter,
    job.columns.map(({ label }) => label),
  );
  /** Batches of rows as JSON, which takes a fraction of the memory of the parsed objects. */
  const batches: string[] = [];
  let count = 0;

  parentPort?.on('message', (message: ThreadMessage) => {
    if (message !== 'end') return add(JSON.parse(message.rows));
    const foot = [job.title, job.author, texts.of(job.createdAt, 'moment')].filter((each) => each !== '').join(' · ');
    const sheet = sheetOf(doc, fonts, typesetter, { foot, pageOf: job.words.pageOf });
    sheet.turn();
    drawRows(sheet, drawHead(sheet));
    sheet.end();
  });

  function add(values: readonly unknown[][]): void {
    const rows = values.map((row) => job.columns.map(({ kind }, at) => texts.of(row[at], kind)));
    for (const row of rows) measure.add(row);
    count += rows.length;
    batches.push(JSON.stringify(rows));
  }

  /** Draws the title, the filters and the row count. Returns the y below them. */
  function drawHead(sheet: Sheet): number {
    const filter = job.filters.map(({ label, value, kind }) => `${label}: ${texts.of(value, kind)}`).join('  ·  ');
    const { noFilter, times, row, rows } = job.words;
    const counted = count === 1 ? row : rows.replace('{count}', String(count));
    const lines = [
      { text: job.title, weight: 'bold', size: 14, leading: 18 },
      { text: filter === '' ? noFilter : filter, weight: 'normal', size: 8, leading: 11 },
      { text: `${counted}  ·  ${times}`, weight: 'normal', size: 8, leading: 11 },
    ] as const;
    const width = sheet.width - 2 * MARGIN;
    let y = MARGIN;
    for (const { text, weight, size, leading } of lines) {
      for (const line of typesetter.wrap(text, weight, (width / size) * 1000)) {
        sheet.text(line, weight, size, { x: MARGIN, y, width });
        y += leading;
      }
    }
    return y + 6;
  }

  function drawRows(sheet: Sheet, top: number): void {
    const labels = job.columns.map(({ label }) => label);
    const table = tableOn(sheet, typesetter, { labels, widths: measure.widths(sheet.width), top });
    for (const batch of batches) {
      const rows: string[][] = JSON.parse(batch);
      for (const row of rows) table.row(row);
    }
  }
}
