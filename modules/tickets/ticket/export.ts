// Ticket export to a file (T-22, X-15).
import { invalid, today, type Context, type EmployeeActor } from '@keelson/core';
import { csvStream, pdfStream, type ExportColumn, type PdfFilter } from '@keelson/core/files';
import type { Filter } from '@keelson/core/list';
import { callerWording, labelsIn, type FileAnswer, type Wording } from '@keelson/core/plugin';
import { answers, countOf, readerOf, type AskedOf } from '@keelson/core/record';
import { priorityLabels } from '../entities.ts';
import { FullTicket } from './list.ts';
import { visibleTickets } from './visible.ts';

export interface ExportRequest extends Omit<AskedOf<typeof FullTicket>, 'page' | 'size'> {
  readonly format?: 'csv' | 'pdf' | undefined;
}

const MOST_ROWS = 10_000;

const columnsIn = ({ t }: Wording): readonly ExportColumn[] => [
  { key: 'ticket_number', label: t('Ticket number') },
  { key: 'subject', label: t('Subject') },
  { key: 'status', label: t('Status'), kind: 'choice' },
  { key: 'priority', label: t('Priority'), labels: labelsIn(priorityLabels, t) },
  { key: 'job_type', label: t('Job type') },
  { key: 'company_name', label: t('Company') },
  { key: 'requester_name', label: t('Requester') },
  { key: 'assigned_name', label: t('Assigned to') },
  { key: 'created_at', label: t('Created'), kind: 'moment' },
  { key: 'updated_at', label: t('Updated'), kind: 'moment' },
  { key: 'closed_at', label: t('Closed'), kind: 'moment' },
];

/**
 * Exports all matching tickets, newest first.
 * @throws invalid() for more than 10,000 rows: files are never truncated
 */
export async function exportTickets(ctx: Context, request: ExportRequest): Promise<FileAnswer> {
  return exportAs(ctx, request, { wording: await callerWording(ctx), visible: [] });
}

/** Exports the tickets visible to the signed-in person, without the company column. */
export async function exportVisibleTickets(ctx: Context<EmployeeActor>, request: ExportRequest): Promise<FileAnswer> {
  const wording = await callerWording(ctx);
  return exportAs(ctx, request, { wording, visible: visibleTickets(ctx, 'seen'), company: ctx.actor.company_name });
}

interface ExportOptions {
  readonly wording: Wording;
  readonly visible: readonly Filter[];
  /** The company whose tickets these are; without one, each row names its own. */
  readonly company?: string;
}

async function exportAs(
  ctx: Context,
  request: ExportRequest,
  { wording, visible, company }: ExportOptions,
): Promise<FileAnswer> {
  const exported = columnsIn(wording).filter((each) => company === undefined || each.key !== 'company_name');
  // Counted where the rows are read, so that the limit holds for them.
  const from = { where: visible, db: readerOf(ctx) };
  const total = await countOf(ctx, FullTicket, request, from);
  if (total > MOST_ROWS) throw invalid(`The export has ${total} rows: narrow it down to at most ${MOST_ROWS}`);
  const rows = answers(ctx, FullTicket, request, from);
  const name = `tickets-${today(ctx).replaceAll('-', '')}`;
  if (request.format !== 'pdf')
    return { name: `${name}.csv`, type: 'text/csv; charset=utf-8', body: csvStream(exported, rows) };
  const list = { title: wording.t('Tickets'), filters: filtersOf(request, wording, company), columns: exported, rows };
  return { name: `${name}.pdf`, type: 'application/pdf', body: await pdfStream(ctx, list) };
}

/** Returns the request's filters for the document header. */
function filtersOf(request: ExportRequest, { t }: Wording, company: string | undefined): PdfFilter[] {
  return [
    { label: t('Company'), value: company },
    { label: t('Status'), value: request.status, kind: 'choice' },
    { label: t('Priority'), value: request.priority && t(priorityLabels[request.priority] ?? '') },
    { label: t('Job type'), value: request.job_type },
    { label: t('Created from'), value: request.created_after, kind: 'moment' },
    { label: t('Created until'), value: request.created_before, kind: 'moment' },
  ];
}
