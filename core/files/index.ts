// `@keelson/core/files`: for plugins that read or write whole files.

// Exports: CSV, PDF and XLSX.
export { csvStream } from './csv.ts';
export { inBatches, type ExportColumn, type ExportRow } from './export-rows.ts';
export { pdfStream, type PdfFilter } from './pdf.ts';
export { xlsxStream } from './xlsx.ts';
export { pdfPaper } from './pdf-paper.ts';
export { documentTexts } from './export-texts.ts';

// Pictures: uploaded by users, shown in documents.
export { readPicture, type Picture } from './picture.ts';

// Imports: files of up to 50,000 rows, validated before anything is stored.
export { importTemplate, ImportTemplate, type ImportColumn } from './import-columns.ts';
export { importReading, readImport, type ImportInput } from './import-file.ts';
export { ImportPreview, previewImport } from './import-preview.ts';
export { importRows, ImportResult, type ImportedRow, type RowError, type StoredBatch } from './import-run.ts';

// Markdown: rendered as HTML.
export { markdownHtml, type MarkdownText } from './markdown.ts';
