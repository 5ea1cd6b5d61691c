// The worker thread that lays out a document for one recipient (pdf-paper.ts).
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadMessage } from '../write/thread.ts';
import type { Weight } from './fonts.ts';
import { openPdf } from './open.ts';
import type { PaperFact, PaperJob } from './paper.ts';
import { MARGIN, PORTRAIT, sheetOf, type Place } from './sheet.ts';
import { measureTable, tableOn } from './table.ts';
import { typesetter as typesetterOf } from './text.ts';

const STYLE = { size: 9, leading: 12 } as const;
/** Start of the footer, from the bottom. */
const FOOT = 36;
const GREY = '#64748b';
const GAP = 14;
/** Maximum size of the logo. */
const LOGO = { width: 180, height: 44 } as const;

begin(workerData);

function begin(job: PaperJob): void {
  const { doc, fonts } = openPdf(job, 'portrait');
  const typesetter = typesetterOf(fonts);
  const labels = job.columns.map(({ label }) => label);
  const rows: string[][] = [];
  const foot = `${job.title} · ${job.from}`;
  const sheet = sheetOf(doc, fonts, typesetter, { foot, size: PORTRAIT, ...(job.pageOf && { pageOf: job.pageOf }) });
  const width = sheet.width - 2 * MARGIN;
  const half = (width - GAP) / 2;
  const rightHalf = { x: MARGIN + half + GAP, width: half };
  let y = MARGIN;

  parentPort?.on('message', (message: ThreadMessage) => {
    if (message !== 'end') return void rows.push(...(JSON.parse(message.rows) as string[][]));
    sheet.turn();
    drawHead();
    drawTable();
    drawSums();
    drawNotes();
    sheet.end();
  });

  /** Writes wrapped lines and returns the y below them. Starts a new page when one is full. */
  function write(
    text: string,
    { weight = 'normal', size = STYLE.size, ...place }: Place & { weight?: Weight; size?: number },
  ): number {
    let at = place.y;
    for (const line of typesetter.wrap(text, weight, (place.width / size) * 1000)) {
      if (at + size * 1.35 > sheet.height - FOOT) {
        sheet.turn();
        at = MARGIN;
      }
      if (line !== '') sheet.text(line, weight, size, { ...place, y: at });
      at += size * 1.35;
    }
    return at;
  }

  function drawHead(): void {
    sheet.bar(y, 4, job.colour);
    y += 4 + GAP;
    const name = job.logo === undefined ? ({ weight: 'bold', size: 13, colour: job.colour } as const) : {};
    const below = job.logo === undefined ? y : drawLogo(job.logo) + 4;
    const from = write(job.from, { x: MARGIN, y: below, width: half, ...name });
    const title = write(job.title, { ...rightHalf, y, weight: 'bold', size: 13, end: true });
    y = Math.max(from, title) + GAP;
    let left = write(job.to.label, { x: MARGIN, y, width: half, colour: GREY });
    for (const line of job.to.lines) left = write(line, { x: MARGIN, y: left, width: half, end: false });
    y = Math.max(left, drawFacts(job.facts, y)) + GAP;
  }

  /** Draws the logo scaled to fit. Returns the y below it. */
  function drawLogo(logo: string): number {
    const image = doc.openImage(Buffer.from(logo, 'base64'));
    const scale = Math.min(LOGO.width / image.width, LOGO.height / image.height);
    const height = image.height * scale;
    sheet.image(image, { x: MARGIN, y, width: image.width * scale, height });
    return y + height;
  }

  function drawFacts(facts: readonly PaperFact[], top: number): number {
    const narrow = rightHalf.width * 0.4;
    const value = { x: rightHalf.x + narrow, width: rightHalf.width - narrow };
    let at = top;
    for (const fact of facts) {
      const weight = fact.strong === true ? 'bold' : 'normal';
      const label = write(fact.label, { x: rightHalf.x, y: at, width: narrow, weight, colour: GREY });
      at = Math.max(label, write(fact.value, { ...value, y: at, weight, end: true }));
    }
    return at;
  }

  function drawTable(): void {
    const measure = measureTable(typesetter, labels, STYLE);
    for (const row of rows) measure.add(row);
    const ends = job.columns.map(({ numbers }) => numbers === true);
    const table = tableOn(sheet, typesetter, {
      labels,
      widths: measure.widths(sheet.width),
      top: y,
      ends,
      style: STYLE,
    });
    for (const row of rows) table.row(row);
    y = table.y + GAP;
  }

  /** Draws the sums without a page break between them. */
  function drawSums(): void {
    if (y + job.sums.length * STYLE.leading * 1.5 > sheet.height - FOOT) {
      sheet.turn();
      y = MARGIN;
    }
    for (const each of job.sums) {
      if (each.strong === true) sheet.rule(y, 0.6, rightHalf.x);
      y = drawFacts([each], each.strong === true ? y + 3 : y) + 2;
    }
    y += GAP;
  }

  function drawNotes(): void {
    if (job.notes !== '') y = write(job.notes, { x: MARGIN, y, width });
  }
}
