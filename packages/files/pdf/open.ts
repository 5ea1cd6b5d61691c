// Opens a PDF document in a worker thread, with the settings all our documents share.
import { parentPort } from 'node:worker_threads';
import PDFDocument, { type PdfDocument } from 'pdfkit';
import type { MadeFile } from '../write/thread.ts';
import { NORMAL_FONT } from './font-files.ts';
import { openFonts, type Fonts } from './fonts.ts';

/** Metadata of our documents. */
export interface DocumentInfo {
  readonly title: string;
  readonly author: string;
  readonly createdAt: string;
  /** A folder with additional fonts: FONTS_DIR. */
  readonly fontsDir: string;
}

/** Opens a document that is sent to the main thread when complete. */
export function openPdf(
  { title, author, createdAt, fontsDir }: DocumentInfo,
  layout: 'landscape' | 'portrait',
): { readonly doc: PdfDocument; readonly fonts: Fonts } {
  const doc = new PDFDocument({
    size: 'A4',
    layout,
    margin: 0,
    autoFirstPage: false,
    font: NORMAL_FONT,
    // The cache would keep every word of the document.
    fontLayoutCache: false,
    lang: 'en',
    displayTitle: true,
    info: { Title: title, Author: author, CreationDate: new Date(createdAt) },
  });
  const fonts = openFonts(doc, fontsDir);
  const pieces: Uint8Array[] = [];
  doc.on('data', (piece: Uint8Array) => pieces.push(piece));
  doc.on('end', () => {
    const bytes = new Uint8Array(Buffer.concat(pieces));
    const answer: MadeFile = { bytes, undrawn: fonts.undrawn() };
    parentPort?.postMessage(answer, [bytes.buffer]);
  });
  return { doc, fonts };
}
