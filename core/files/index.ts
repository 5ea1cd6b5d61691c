// `@keelson/core/files`: for plugins that read or write whole files.

// Exports: CSV, PDF and XLSX.
export {
  csvStream,
  documentTexts,
  inBatches,
  type ExportColumn,
  type ExportRow,
  type PaperFact,
  type PdfFilter,
} from '@keelson/files';
export { pdfPaper, pdfStream, xlsxStream } from './documents.ts';

// Imports: files of up to 50,000 rows, validated before anything is stored.
export { importTemplate, ImportPreview, ImportTemplate, type ImportColumn } from '@keelson/files';
export { importReading, previewImport, readImport, type ImportInput } from './import-file.ts';
export {
  importRows,
  ImportResult,
  type ImportedRow,
  type ImportWatch,
  type RowError,
  type StoredBatch,
} from './import-run.ts';
