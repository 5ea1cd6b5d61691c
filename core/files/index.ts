// `@keelson/core/files`: what a plugin needs that writes or reads whole files itself.

// Exports: CSV, PDF and XLSX.
export { csvStream } from './csv.ts';
export { inBatches, type ExportColumn, type ExportRow } from './export-rows.ts';
export { pdfStream, type PdfFilter } from './pdf.ts';
export { xlsxStream } from './xlsx.ts';
export { pdfPaper } from './pdf-paper.ts';
export { documentTexts } from './export-texts.ts';

// Pictures that people upload and documents show.
export { readPicture, type Picture } from './picture.ts';

// Imports: files of up to 50,000 rows, judged before anything is stored.
export { importTemplate, ImportTemplate, type ImportColumn } from './import-columns.ts';
export { importReading, readImport, type ImportInput } from './import-file.ts';
export { ImportPreview, previewImport } from './import-preview.ts';
export { importRows, ImportResult, type ImportedRow, type RowError, type StoredBatch } from './import-run.ts';

// Markdown: read as HTML.
export { markdownHtml, type MarkdownText } from './markdown.ts';
