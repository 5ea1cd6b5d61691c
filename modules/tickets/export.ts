// Tickets as a file to download (T-22, X-15).
import {
  countList,
  csvStream,
  today,
  inBatches,
  invalid,
  pdfStream,
  readAll,
  type Context,
  type EmployeeActor,
  type ExportColumn,
  type ExportRow,
  type FileAnswer,
  type Filter,
  type PdfFilter,
} from '@keelson/core';
import { ticketFilters, TicketList, type ListedTicket, type TicketFilter } from './list.ts';
import { readTicketNames } from './names.ts';
import { visibleTickets } from './visible.ts';

export interface ExportRequest extends TicketFilter {
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

/** All tickets that match, newest first. @throws invalid() for more than 10,000: a file is whole or is not */
export function exportTickets(ctx: Context, request: ExportRequest): Promise<FileAnswer> {
  return exportAs(ctx, request, columns, []);
}

/** The same among those the signed-in person may see; the company is their own and is left out. */
export function exportVisibleTickets(ctx: Context<EmployeeActor>, request: ExportRequest): Promise<FileAnswer> {
  const own = columns.filter((each) => each.key !== 'company_name');
  return exportAs(ctx, request, own, visibleTickets(ctx, 'seen'), ctx.actor.company_name);
}

async function exportAs(
  ctx: Context,
  request: ExportRequest,
  shown: readonly ExportColumn[],
  visible: readonly Filter[],
  company?: string,
): Promise<FileAnswer> {
  const where = [...(await ticketFilters(ctx, request)), ...visible];
  const total = await countList(ctx.db, TicketList, where);
  if (total > MOST_ROWS) throw invalid(`The export has ${total} rows; choose a narrower range of at most ${MOST_ROWS}`);
  const rows = exportRows(ctx, where);
  const name = `tickets-${today(ctx).replaceAll('-', '')}`;
  if (request.format !== 'pdf')
    return { name: `${name}.csv`, type: 'text/csv; charset=utf-8', body: csvStream(shown, rows) };
  const list = { title: 'Tickets', filters: filtersOf(request, company), columns: shown, rows };
  return { name: `${name}.pdf`, type: 'application/pdf', body: await pdfStream(ctx, list) };
}

/** What was asked for, as the head of a document says it. */
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

async function* exportRows(ctx: Context, where: readonly Filter[]): AsyncGenerator<ExportRow[]> {
  const request = { where, sort: 'created_at', direction: 'desc' } as const;
  for await (const batch of inBatches(readAll(ctx.db, TicketList, request))) yield await named(ctx, batch);
}

async function named(ctx: Context, tickets: readonly ListedTicket[]): Promise<ExportRow[]> {
  const namesOf = await readTicketNames(ctx, tickets);
  return tickets.map((ticket) => ({
    ...ticket,
    ...namesOf(ticket),
    created_at: seconds(ticket.created_at),
    updated_at: seconds(ticket.updated_at),
    closed_at: ticket.closed_at && seconds(ticket.closed_at),
  }));
}

/** Moments as the interfaces write them (V-04). */
function seconds(at: string): string {
  return `${at.slice(0, 19)}Z`;
}
