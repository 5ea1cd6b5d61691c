// Outages and planned windows: what people and the clock make of them (M-17, M-18).
import { changed, changesBetween, conflict, invalid, notFound, type Context, type Timestamp } from '@keelson/core';
import { Company } from '@keelson/modules/directory';
import { Outage, OutageHistory, OutageService } from './entities.ts';
import { OutageNotice, OutageResolved, OutageStarted } from './events.ts';
import { toItem } from './outage-list.ts';

export interface NewOutage {
  readonly service_id: number;
  readonly company_number?: number | null | undefined;
  readonly title: string;
  readonly description?: string | undefined;
  readonly severity?: Outage['severity'] | undefined;
  readonly status?: 'active' | 'scheduled' | undefined;
  readonly started_at?: Timestamp | null | undefined;
  readonly scheduled_start?: Timestamp | null | undefined;
  readonly scheduled_end?: Timestamp | null | undefined;
  readonly notes?: string | undefined;
  readonly send_notification?: boolean | undefined;
}

/** What PUT takes: `operating_normally` is how the document calls resolving (N-23, O-03). */
export const statusWords = ['active', 'scheduled', 'resolved', 'operating_normally'] as const;
type StatusWord = (typeof statusWords)[number];

export interface OutageUpdate {
  readonly status?: StatusWord | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly severity?: Outage['severity'] | undefined;
  readonly scheduled_start?: Timestamp | null | undefined;
  readonly scheduled_end?: Timestamp | null | undefined;
  readonly notes?: string | undefined;
  readonly send_notification?: boolean | undefined;
}

/** @throws notFound() */
export async function findOutage(ctx: Context, outage_id: number): Promise<Outage> {
  const outage = await ctx.db.one(Outage, { outage_id }, { lock: ctx.tx !== undefined });
  if (!outage) throw notFound('Outage');
  return outage;
}

/** Declares an outage, or plans a window (O-01). @throws invalid() naming the field */
export async function createOutage(ctx: Context, input: NewOutage): Promise<Outage> {
  await checkReferences(ctx, input);
  const { status = 'active', scheduled_start = null, scheduled_end = null, send_notification = false } = input;
  if (status === 'scheduled' && !scheduled_start) throw invalid('scheduled_start is required');
  checkWindow(scheduled_start, scheduled_end);
  const started_at = status === 'active' ? (input.started_at ?? ctx.now) : null;
  if (started_at && started_at > ctx.now) throw invalid('started_at must not be in the future');
  const outage_id = await ctx.db.insert(Outage, {
    service_id: input.service_id,
    company_number: input.company_number ?? null,
    title: input.title,
    description: input.description ?? '',
    severity: input.severity ?? 'minor',
    status,
    started_at,
    scheduled_start,
    scheduled_end,
    notes: input.notes ?? '',
    notify: send_notification,
    created_by: ctx.author.name,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  const outage = await findOutage(ctx, outage_id);
  await note(ctx, outage, { word: status, notes: outage.notes, notified: send_notification });
  if (status === 'active') ctx.emit(OutageStarted, await toItem(ctx, outage));
  changed(ctx, Outage);
  const description = `Outage ${outage.title} ${status === 'active' ? 'declared' : 'planned'}`;
  ctx.record({ action: 'create', entity_type: 'outage', entity_id: outage_id, description });
  return outage;
}

/** Changes an outage that was locked in the same transaction, and writes down what is told (O-04, O-05). */
export async function updateOutage(ctx: Context, before: Outage, input: OutageUpdate): Promise<Outage> {
  const { status: word, send_notification = false, ...fields } = input;
  const status = stateFor(before, word);
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const wanted = { ...given, ...(status === before.status ? {} : movedTo(ctx, before, status)) };
  const after = { ...before, ...wanted };
  checkWindow(after.scheduled_start, after.scheduled_end);
  if (after.status === 'scheduled' && !after.scheduled_start) throw invalid('scheduled_start is required');
  const changes = changesBetween(before, wanted);
  const said = fields.notes !== undefined && fields.notes !== '';
  const differs = Object.keys(changes).length > 0;
  if (!differs && !said && !send_notification) return before;
  if (differs) await ctx.db.update(Outage, { outage_id: before.outage_id }, { ...wanted, updated_at: ctx.now });
  if (said || send_notification || status !== before.status) {
    await note(ctx, after, { word: word ?? after.status, notes: fields.notes ?? '', notified: send_notification });
  }
  const stored = await findOutage(ctx, before.outage_id);
  await tell(ctx, before, stored);
  changed(ctx, Outage);
  const description = `Outage ${stored.title} changed`;
  ctx.record({ action: 'update', entity_type: 'outage', entity_id: stored.outage_id, description, changes });
  return stored;
}

/** A window's time has come, or is over: the clock changes it as a person would. */
export function moveByClock(ctx: Context, outage: Outage, word: 'active' | 'operating_normally'): Promise<Outage> {
  return updateOutage(ctx, outage, { status: word, send_notification: outage.notify });
}

function stateFor(before: Outage, word: StatusWord | undefined): Outage['status'] {
  const wanted = word === 'operating_normally' ? 'resolved' : (word ?? before.status);
  if (wanted === 'scheduled' && before.status !== 'scheduled') {
    throw conflict('An outage can be scheduled only when it is created');
  }
  return wanted;
}

function movedTo(ctx: Context, before: Outage, status: Outage['status']): Partial<Outage> {
  if (status === 'resolved') return { status, resolved_at: ctx.now };
  return { status, started_at: ctx.now, resolved_at: null };
}

async function tell(ctx: Context, before: Outage, after: Outage): Promise<void> {
  if (before.status === after.status) return;
  const event = after.status === 'resolved' ? OutageResolved : OutageStarted;
  const fields = Object.keys(changesBetween(before, after)).filter((field) => field !== 'updated_at');
  ctx.emit(event, await toItem(ctx, after), { changed: fields });
}

interface Said {
  readonly word: string;
  readonly notes: string;
  readonly notified: boolean;
}

async function note(ctx: Context, { outage_id }: Outage, { word, notes, notified }: Said): Promise<void> {
  const row = { outage_id, status: word, notes, notified, changed_by: ctx.author.name, created_at: ctx.now };
  const history_id = await ctx.db.insert(OutageHistory, row);
  if (notified) ctx.emit(OutageNotice, { history_id, after: 0 });
}

async function checkReferences(ctx: Context, { service_id, company_number }: NewOutage): Promise<void> {
  const service = await ctx.db.one(OutageService, { service_id, deleted_at: null });
  if (!service) throw invalid('service_id must be an existing service');
  if (company_number === null || company_number === undefined) return;
  // Locked: it must not be deleted meanwhile (V-26).
  const company = await ctx.db.one(Company, { company_number, deleted_at: null }, { lock: true });
  if (!company) throw invalid('company_number must be an existing company');
}

function checkWindow(start: Timestamp | null, end: Timestamp | null): void {
  if (end && !start) throw invalid('scheduled_start is required with scheduled_end');
  if (start && end && end <= start) throw invalid('scheduled_end must be after scheduled_start');
}
