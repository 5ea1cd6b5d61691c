// `@keelson/files`: reads and writes whole files, without knowledge of requests, records or plugins.

// Writing: CSV, XLSX and PDF.
export { csvStream } from './write/csv.ts';
export { inBatches, type ExportColumn, type ExportRow } from './write/rows.ts';
export { documentTexts } from './write/texts.ts';
export type { MadeFile } from './write/thread.ts';
export { makeXlsx, type XlsxList } from './write/xlsx.ts';
export { makePdfList, type ListWords, type PdfFilter, type PdfList } from './pdf/list.ts';
export { makePdfPaper, type PaperFact, type PdfPaper } from './pdf/paper.ts';

// Reading: tables as CSV, XLSX and JSON from any program.
export { importTemplate, ImportTemplate, importTypes, type ImportColumn } from './read/columns.ts';
export { dateForms } from './read/dates.ts';
export { importProfiles, type ImportMapping } from './read/header.ts';
export { outlineOf } from './read/json.ts';
export { ImportPreview, previewTable } from './read/preview.ts';
export {
  csvRows,
  jsonRows,
  noColumns,
  type FoundColumns,
  type ImportRow,
  type Reading,
  type Slices,
} from './read/rows.ts';
export { tableOf } from './read/table.ts';
export { isArchive } from './read/workbook.ts';

// Markdown: rendered as HTML.
export { createRenderer, type Renderer } from './markdown/renderer.ts';

// Files of strangers: read in a child process.
export { inChild, type ChildWork, type Piece } from './child.ts';
export { warmChildren, type AskWarm, type WarmWork } from './warm-child.ts';

// Errors: what is wrong with a file.
export { FileFault, TookTooLong } from './fault.ts';
