// Report export to a file (Q-06, N-20).
import { invalid, type Admin, type Context, type EmployeeActor } from '@keelson/core';
import { csvStream, pdfStream, xlsxStream, type ExportColumn } from '@keelson/core/files';
import { callerWording, type FileAnswer } from '@keelson/core/plugin';
import { inReportTurn, wholeReport, type ReportColumn } from './engine/run.ts';
import type { Format, Report } from './entities.ts';
import { filtersInWords } from './export-filters.ts';
import { requestOf } from './run.ts';

/** PDF documents are laid out in memory, so they allow fewer rows than other formats. */
const MOST_IN_PDF = 10_000;
/** Maximum characters per value in a PDF; other formats contain the full text. */
const LONGEST_IN_PDF = 1000;

const types: Readonly<Record<Format, string>> = {
  csv: 'text/csv; charset=utf-8',
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};
export const mediaTypes = ['text/csv', types.pdf, types.xlsx] as const;

/**
 * Exports a report.
 * @throws the errors of running it; invalid() for more than 50,000 rows, or 10,000 in a PDF document
 */
export async function exportReport(
  ctx: Context<EmployeeActor | Admin>,
  report: Report,
  format: Format = 'csv',
): Promise<FileAnswer> {
  const request = await requestOf(ctx, report);
  const most = format === 'pdf' ? MOST_IN_PDF : undefined;
  // Count in a separate queue slot; reading the rows takes the file's slot.
  const { columns, rows } = await inReportTurn(ctx, request.company, () => wholeReport(ctx, { ...request, most }));
  if (columns.length === 0) throw invalid('The report has no fields you have access to');
  const exported = columns.map(exportColumn);
  const file = { name: `${fileName(report.name)}.${format}`, type: types[format] };
  if (format === 'csv') return { ...file, body: csvStream(exported, rows) };
  if (format === 'xlsx') return { ...file, body: await xlsxStream(ctx, { columns: exported, rows }) };
  const filters = filtersInWords(request.source, request.query.filters, await callerWording(ctx));
  const document = { title: report.name, filters, columns: exported, rows, longestText: LONGEST_IN_PDF };
  return { ...file, body: await pdfStream(ctx, document) };
}

const kinds: Partial<Record<ReportColumn['type'], ExportColumn['kind']>> = {
  choice: 'choice',
  date: 'day',
  datetime: 'moment',
  money: 'money',
};

function exportColumn({ key, label, type, labels }: ReportColumn): ExportColumn {
  const kind = kinds[type];
  return { key, label, ...(kind && { kind }), ...(labels && { labels }) };
}

/** Returns the report name without characters that file systems reject. */
function fileName(name: string): string {
  const plain = name
    .replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ .]+|[ .]+$/g, '')
    .slice(0, 100);
  return plain === '' ? 'report' : plain;
}
