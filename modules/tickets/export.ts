// Ticket export to a file (T-22, X-15).
import { invalid, today, type Context, type EmployeeActor } from '@keelson/core';
import { csvStream, pdfStream, type ExportColumn, type PdfFilter } from '@keelson/core/files';
import type { Filter } from '@keelson/core/list';
import type { FileAnswer } from '@keelson/core/plugin';
import { answers, countOf, type AskedOf } from '@keelson/core/record';
import { FullTicket } from './list.ts';
import { visibleTickets } from './visible.ts';

export interface ExportRequest extends Omit<AskedOf<typeof FullTicket>, 'page' | 'size'> {
  readonly format?: 'csv' | 'pdf' | undefined;
}

const MOST_ROWS = 10_000;

const columns: readonly ExportColumn[] = [
  { key: 'ticket_number', label: 'Ticket number' },
  { key: 'subject', label: 'Subject' },
  { key: 'status', label: 'Status', kind: 'choice' },
  { key: 'priority', label: 'Priority' },
  { key: 'job_type', label: 'Job type' },
  { key: 'company_name', label: 'Company' },
  { key: 'requester_name', label: 'Requester' },
  { key: 'assigned_name', label: 'Assigned to' },
  { key: 'created_at', label: 'Created', kind: 'moment' },
  { key: 'updated_at', label: 'Updated', kind: 'moment' },
  { key: 'closed_at', label: 'Closed', kind: 'moment' },
];

/**
 * Exports all matching tickets, newest first.
 * @throws invalid() for more than 10,000 rows: files are never truncated
 */
export function exportTickets(ctx: Context, request: ExportRequest): Promise<FileAnswer> {
  return exportAs(ctx, request, columns, []);
}

/** Exports the tickets visible to the signed-in person, without the company column. */
export function exportVisibleTickets(ctx: Context<EmployeeActor>, request: ExportRequest): Promise<FileAnswer> {
  const own = columns.filter((each) => each.key !== 'company_name');
  return exportAs(ctx, request, own, visibleTickets(ctx, 'seen'), ctx.actor.company_name);
}

async function exportAs(
  ctx: Context,
  request: ExportRequest,
  exported: readonly ExportColumn[],
  visible: readonly Filter[],
  company?: string,
): Promise<FileAnswer> {
  const total = await countOf(ctx, FullTicket, request, { where: visible });
  if (total > MOST_ROWS) throw invalid(`The export has ${total} rows: narrow it down to at most ${MOST_ROWS}`);
  const rows = answers(ctx, FullTicket, request, { where: visible });
  const name = `tickets-${today(ctx).replaceAll('-', '')}`;
  if (request.format !== 'pdf')
    return { name: `${name}.csv`, type: 'text/csv; charset=utf-8', body: csvStream(exported, rows) };
  const list = { title: 'Tickets', filters: filtersOf(request, company), columns: exported, rows };
  return { name: `${name}.pdf`, type: 'application/pdf', body: await pdfStream(ctx, list) };
}

/** Returns the request's filters for the document header. */
function filtersOf(request: ExportRequest, company: string | undefined): PdfFilter[] {
  return [
    { label: 'Company', value: company },
    { label: 'Status', value: request.status, kind: 'choice' },
    { label: 'Priority', value: request.priority },
    { label: 'Job type', value: request.job_type },
    { label: 'Created from', value: request.created_after, kind: 'moment' },
    { label: 'Created until', value: request.created_before, kind: 'moment' },
  ];
}
