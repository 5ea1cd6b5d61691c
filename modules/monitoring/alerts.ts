// Alert lifecycle: raised once while the problem lasts, acknowledged by a person, resolved when it is over (M-31).
import {
  change,
  conflict,
  create,
  DuplicateKey,
  eventData,
  eventDataFor,
  MoreThan,
  plus,
  record,
  type Context,
} from '@keelson/core';
import { holdCompany } from '@keelson/modules/directory';
import { AlertItem, alertNoun } from './alert-list.ts';
import { Alert } from './entities.ts';
import { AlertAcknowledged, AlertCreated, AlertResolved } from './events.ts';

export const Alerts = record(alertNoun, {
  call: ({ message }) => `“${message}”`,
  log: { omit: ['open_key', 'muted_key', 'occurrences', 'last_raised_at'] },
  async prepare(ctx, { company_number }, before) {
    if (before || company_number === null) return;
    await holdCompany(ctx, company_number);
  },
  async created(ctx, alert) {
    if (alert.muted_until === null) ctx.emit(AlertCreated, await eventData(ctx, AlertItem, alert));
  },
  async changed(ctx, changes) {
    const moves = changes.filter(({ before, after }) => before.status !== after.status);
    const dataOf = await eventDataFor(
      ctx,
      AlertItem,
      moves.map(({ after }) => after),
    );
    for (const { after, changed } of moves)
      ctx.emit(after.status === 'resolved' ? AlertResolved : AlertAcknowledged, dataOf(after), { changed });
  },
});

export interface Raised {
  readonly alert_type: string;
  readonly severity: Alert['severity'];
  readonly message: string;
  readonly company_number?: number | null | undefined;
  readonly collector_id?: string | null | undefined;
  readonly asset_id?: number | null | undefined;
  /** Reporter; defaults to Keelson. */
  readonly source?: string | undefined;
}

const OWN = 'Keelson';

/**
 * Raises an alert. If one with the same key is unresolved, counts the report there with the newest text, and `added` is
 * false.
 * @throws invalid() for an unknown company
 */
export async function raiseAlert(
  ctx: Context,
  open_key: string,
  { source = OWN, ...raised }: Raised,
): Promise<{ row: Alert; added: boolean }> {
  const known = await ctx.db.findOne(Alert, { where: { open_key }, lock: { mode: 'pessimistic_write' } });
  if (known) return { row: await fold(ctx, known, raised), added: false };
  const alert = { ...raised, ...(await muteOf(ctx, open_key)), source, open_key, last_raised_at: ctx.now };
  try {
    return { row: await create(ctx, Alerts, alert), added: true };
  } catch (error) {
    if (!(error instanceof DuplicateKey)) throw error;
    // Another report of the same problem was first.
    return raiseAlert(ctx, open_key, { source, ...raised });
  }
}

/** Resolves the open alert with this key; does nothing without one. */
export async function resolveAlert(ctx: Context, open_key: string): Promise<Alert | undefined> {
  const known = await ctx.db.findOne(Alert, { where: { open_key }, lock: { mode: 'pessimistic_write' } });
  if (!known) return undefined;
  return change(ctx, Alerts, known, { status: 'resolved', resolved_at: ctx.now, open_key: null });
}

/** Acknowledges an alert; does nothing if already acknowledged. @throws conflict() if it is resolved (M-31) */
export async function acknowledgeAlert(ctx: Context, alert: Alert): Promise<Alert> {
  if (alert.status === 'resolved') throw conflict('The alert is already resolved');
  if (alert.status === 'acknowledged') return alert;
  const by = { acknowledged_at: ctx.now, acknowledged_by: ctx.author.name };
  return change(ctx, Alerts, alert, { status: 'acknowledged', ...by });
}

/**
 * Mutes an alert for some minutes, also if it is resolved and recurs meanwhile; 0 ends that.
 * @throws conflict() if it is resolved
 */
export async function muteAlert(ctx: Context, alert: Alert, minutes: number): Promise<Alert> {
  if (alert.status === 'resolved') throw conflict('The alert is already resolved');
  // An earlier alert of the same problem must not mute it any longer.
  const same = alert.open_key === null ? [] : await ctx.db.findBy(Alert, { muted_key: alert.open_key });
  for (const each of same)
    if (each.alert_id !== alert.alert_id) await change(ctx, Alerts, each, { muted_until: null, muted_key: null });
  const muted_until = minutes > 0 ? plus(ctx.now, { minutes }) : null;
  return change(ctx, Alerts, alert, { muted_until, muted_key: muted_until && alert.open_key });
}

/** Returns until when the problem with this key is muted, from its previous alert. */
async function muteOf(ctx: Context, open_key: string): Promise<Pick<Alert, 'muted_until' | 'muted_key'>> {
  const muted = await ctx.db.findBy(Alert, { muted_key: open_key, muted_until: MoreThan(ctx.now) });
  const [last] = muted
    .map((each) => each.muted_until ?? '')
    .toSorted()
    .toReversed();
  return last === undefined ? { muted_until: null, muted_key: null } : { muted_until: last, muted_key: open_key };
}

/** Adds a repeated report to an alert. The count alone is not announced as a change; a new text or severity is. */
async function fold(ctx: Context, known: Alert, { severity, message }: Raised): Promise<Alert> {
  const again = { occurrences: known.occurrences + 1, last_raised_at: ctx.now };
  await ctx.db.update(Alert, { alert_id: known.alert_id }, again);
  return change(ctx, Alerts, { ...known, ...again }, { severity, message });
}
