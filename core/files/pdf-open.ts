// Opens a PDF document in a worker thread, with the settings all our documents share.
import { parentPort } from 'node:worker_threads';
import PDFDocument, { type PdfDocument } from 'pdfkit';
import type { Timestamp } from '../kit/time.ts';
import { NORMAL_FONT } from './pdf-fonts.ts';

interface About {
  readonly title: string;
  readonly author: string;
  readonly createdAt: Timestamp;
}

/** Opens a document that is sent to the main thread when complete. */
export function openPdf({ title, author, createdAt }: About, layout: 'landscape' | 'portrait'): PdfDocument {
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
  const pieces: Uint8Array[] = [];
  doc.on('data', (piece: Uint8Array) => pieces.push(piece));
  doc.on('end', () => {
    const whole = new Uint8Array(Buffer.concat(pieces));
    parentPort?.postMessage(whole, [whole.buffer]);
  });
  return doc;
}
