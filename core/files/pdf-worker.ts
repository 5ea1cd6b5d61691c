// The thread that lays a PDF out, see pdf.ts. Text and lines are all that goes in; pdfmake may open nothing but its font.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import pdfmake from 'pdfmake';
import type { Content, TDocumentDefinitions } from 'pdfmake/interfaces.js';
import type { PdfJob } from './pdf.ts';

// In points, 72 to the inch: A4 on its side, and the space between two columns.
const PAGE_WIDTH = 841.89;
const MARGIN = 28;
const PADDING = 8;

const fonts = join(dirname(createRequire(import.meta.url).resolve('pdfmake/package.json')), 'fonts', 'Roboto');
const normal = join(fonts, 'Roboto-Regular.ttf');
const bold = join(fonts, 'Roboto-Medium.ttf');

pdfmake.setFonts({ Roboto: { normal, bold } });
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy((path) => path === normal || path === bold);
const bytes = await pdfmake.createPdf(documentOf(workerData)).getBuffer();
parentPort?.postMessage(bytes);

function documentOf(job: PdfJob): TDocumentDefinitions {
  const { title, author, createdAt, labels, batches } = job;
  const created = `${createdAt.slice(0, 16).replace('T', ' ')} UTC`;
  return {
    pageSize: 'A4',
    pageOrientation: 'landscape',
    pageMargins: [MARGIN, MARGIN, MARGIN, 36],
    defaultStyle: { font: 'Roboto', fontSize: 7.5 },
    info: { title, author, creationDate: new Date(createdAt) },
    content: [{ text: title, fontSize: 14, bold: true, margin: [0, 0, 0, 8] }, tableOf(labels, batches)],
    footer: (page, pages) => ({
      margin: [MARGIN, 10, MARGIN, 0],
      columns: [
        { text: [author, created].filter(Boolean).join(', ') },
        { text: `${page} / ${pages}`, alignment: 'right' },
      ],
    }),
  };
}

function tableOf(labels: PdfJob['labels'], batches: PdfJob['batches']): Content {
  const header = labels.map((text) => ({ text, bold: true }));
  const lines = batches.flatMap((batch): string[][] => JSON.parse(batch));
  const body = lines.map((line) => line.map((text) => ({ text })));
  return {
    table: { headerRows: 1, widths: widthsOf(labels, lines.slice(0, 500)), body: [header, ...body] },
    layout: {
      hLineWidth: (line) => (line === 1 ? 1 : 0.5),
      hLineColor: (line) => (line === 1 ? 'black' : '#aaaaaa'),
      vLineWidth: () => 0,
      paddingLeft: () => PADDING / 2,
      paddingRight: () => PADDING / 2,
    },
  };
}

/**
 * Points per column, by how long its texts usually are. Widths are fixed, because pdfmake lets a flexible column grow
 * to its longest word and pushes the others off the page; in a fixed one it breaks the word.
 */
function widthsOf(labels: readonly string[], sample: readonly (readonly string[])[]): number[] {
  const room = PAGE_WIDTH - 2 * MARGIN - PADDING * labels.length;
  const shares = labels.map((label, column) => {
    const usual = sample.reduce((sum, line) => sum + (line[column]?.length ?? 0), 0) / Math.max(1, sample.length);
    return Math.min(40, Math.max(6, label.length, usual));
  });
  const whole = shares.reduce((sum, each) => sum + each, 0);
  return shares.map((share) => (room * share) / whole);
}
