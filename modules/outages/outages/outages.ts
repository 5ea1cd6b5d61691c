// Outages and planned windows: creation, updates, resolution (M-17, M-18).
import {
  change,
  conflict,
  create,
  eventData,
  eventDataFor,
  invalid,
  IsNull,
  record,
  type Context,
  type Timestamp,
} from '@keelson/core';
import { holdCompany } from '@keelson/modules/directory';
import { replanForOutages } from '@keelson/modules/levels';
import { Outage, OutageHistory, OutageService } from '../entities.ts';
import { OutageNotice, OutageResolved, OutageStarted } from '../events.ts';
import { OutageItem, outageNoun } from './outage-list.ts';

export const Outages = record(outageNoun, {
  call: ({ title }) => title,
  log: { omit: ['earlier_spans'] },
  follow: (ctx, before, { status }) => (status ? timesOf(ctx, before, status) : {}),
  async prepare(ctx, after, before) {
    if (!before) await checkReferences(ctx, after);
    checkWindow(after);
  },
  async created(ctx, outage) {
    if (outage.status !== 'active') return;
    await replanForOutages(ctx);
    ctx.emit(OutageStarted, await eventData(ctx, OutageItem, outage));
  },
  async changed(ctx, changes) {
    const moves = changes.filter(({ before, after }) => before.status !== after.status);
    if (moves.length > 0) await replanForOutages(ctx);
    const dataOf = await eventDataFor(
      ctx,
      OutageItem,
      moves.map(({ after }) => after),
    );
    for (const { after, changed } of moves)
      ctx.emit(after.status === 'resolved' ? OutageResolved : OutageStarted, dataOf(after), { changed });
  },
});

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

/** Status values accepted by PUT; `operating_normally` is the documented word for resolving (N-23, O-03). */
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

/** Declares an outage or plans a window (O-01). @throws invalid() naming the field */
export function createOutage(ctx: Context, input: NewOutage): Promise<Outage> {
  const { send_notification: notify = false, status = 'active', ...fields } = input;
  const started_at = status === 'active' ? (input.started_at ?? ctx.now) : null;
  if (started_at && started_at > ctx.now) throw invalid('started_at must not be in the future');
  const outage = { ...fields, status, started_at, notify, created_by: ctx.author.name };
  return create(ctx, Outages, outage, {
    store: ({ outage_id, notes }) => addHistory(ctx, { outage_id, status, notes, notified: notify }),
  });
}

/** Changes an outage locked in the same transaction and adds to its history (O-04, O-05). */
export function updateOutage(ctx: Context, outage: Outage, input: OutageUpdate): Promise<Outage> {
  const { status: word, send_notification = false, ...given } = input;
  const fields = send_notification ? { ...given, notify: true } : given;
  const status = statusOf(outage, word);
  const { outage_id } = outage;
  const entry = { outage_id, status: word ?? status, notes: fields.notes ?? '', notified: send_notification };
  if (entry.notes === '' && !send_notification && status === outage.status) return change(ctx, Outages, outage, fields);
  return change(
    ctx,
    Outages,
    outage,
    { ...fields, status },
    { extra: { status_history: [null, entry.status] }, store: () => addHistory(ctx, entry) },
  );
}

/** Starts or ends a planned window, with the same effects as an update by a person. */
export function moveByClock(ctx: Context, outage: Outage, word: 'active' | 'operating_normally'): Promise<Outage> {
  return updateOutage(ctx, outage, { status: word, send_notification: outage.notify });
}

function statusOf(outage: Outage, word: StatusWord | undefined): Outage['status'] {
  const status = word === 'operating_normally' ? 'resolved' : (word ?? outage.status);
  if (status === 'scheduled' && outage.status !== 'scheduled') {
    throw conflict('An outage can only be scheduled on creation');
  }
  return status;
}

function timesOf({ now }: Context, before: Outage, status: Outage['status']): Partial<Outage> {
  if (status === 'resolved') return { resolved_at: now };
  const { started_at: from, resolved_at: to, earlier_spans } = before;
  const over = from !== null && to !== null ? [{ from, to }] : [];
  return { started_at: now, resolved_at: null, earlier_spans: [...(earlier_spans ?? []), ...over] };
}

type HistoryEntry = Pick<OutageHistory, 'outage_id' | 'status' | 'notes' | 'notified'>;

async function addHistory(ctx: Context, entry: HistoryEntry): Promise<void> {
  const row = { ...entry, changed_by: ctx.author.name, created_at: ctx.now };
  const history_id = await ctx.db.insertReturningId(OutageHistory, row);
  if (entry.notified) ctx.emit(OutageNotice, { history_id, after: 0 });
}

async function checkReferences(ctx: Context, { service_id, company_number }: Outage): Promise<void> {
  const service = await ctx.db.findOneBy(OutageService, { service_id, deleted_at: IsNull() });
  if (!service) throw invalid('service_id must be an existing service');
  if (company_number === null) return;
  await holdCompany(ctx, company_number);
}

function checkWindow({ status, scheduled_start: start, scheduled_end: end }: Outage): void {
  if (status === 'scheduled' && !start) throw invalid('scheduled_start is required');
  if (end && !start) throw invalid('scheduled_start is required with scheduled_end');
  if (start && end && end <= start) throw invalid('scheduled_end must be after scheduled_start');
}
