// Health of webhook receivers: last delivery and failures. Receivers that fail for days are disabled (EV-07, SF-16).
import { change, IsNull, plus, secondsBetween, sendMail, sql, toDatabase, type Context } from '@keelson/core';
import { dayIn } from '@keelson/core/kit';
import { worded, type Spoken } from '@keelson/core/plugin';
import type { DeliveryOutcome } from '@keelson/core/system';
import { Technician } from '@keelson/modules/directory';
import { WebhookDisabled as DisabledMail } from '@keelson/modules/system';
import { Webhook, type WebhookRow } from './entities.ts';
import { WebhookDisabled } from './events.ts';
import { Webhooks } from './webhooks.ts';

const WARN_HOURS = 24;
const DISABLE_HOURS = 72;
const DISABLE_EVENTS = 20;

/**
 * Stores the outcome of attempts within their transaction. Bypasses the record because it runs after every delivery and
 * is neither logged nor cached.
 */
export async function recordOutcomes(
  ctx: Context,
  webhook_id: number,
  outcomes: readonly DeliveryOutcome[],
): Promise<void> {
  const last = outcomes.at(-1);
  if (!last) return;
  const seen = { last_delivery_at: last.at, last_status: last.report.status ?? null };
  const good = outcomes.findLastIndex(({ state }) => state === 'done');
  const failed = outcomes.slice(good + 1);
  if (failed.length === 0) return recordSuccess(ctx, webhook_id, seen);
  const row = await ctx.db.findOne(Webhook, {
    where: { webhook_id, deleted_at: IsNull() },
    lock: { mode: 'pessimistic_write' },
  });
  if (!row) return;
  const before = good < 0 ? row : { failure_count: 0, failing_since: null, failed_events: 0, warned_at: null };
  const now = {
    ...seen,
    failure_count: before.failure_count + failed.length,
    failing_since: before.failing_since ?? failed[0]?.at ?? last.at,
    failed_events: before.failed_events + failed.filter(({ attempts }) => attempts === 1).length,
    warned_at: before.warned_at,
  };
  await ctx.db.update(Webhook, { webhook_id }, now);
  if (row.active) await disableOrWarn(ctx, { ...row, ...now }, last);
}

/** A single statement, deferred to the commit, because it is part of every delivery. */
function recordSuccess(
  ctx: Context,
  webhook_id: number,
  { last_delivery_at, last_status }: { last_delivery_at: string; last_status: number | null },
): void {
  ctx.tx?.last(sql`UPDATE webhook SET last_delivery_at = ${toDatabase(last_delivery_at)}, last_status = ${last_status},
    failure_count = 0, failing_since = NULL, failed_events = 0, warned_at = NULL WHERE webhook_id = ${webhook_id}`);
}

async function disableOrWarn(ctx: Context, row: WebhookRow, last: DeliveryOutcome): Promise<void> {
  const { webhook_id, registry, failing_since } = row;
  if (failing_since === null) return;
  const hours = secondsBetween(failing_since, last.at) / 3600;
  if (hours >= DISABLE_HOURS && row.failed_events >= DISABLE_EVENTS) {
    await change(ctx, Webhooks, row, { active: false });
    ctx.emit(WebhookDisabled, { webhook_id, registry, failing_since });
    await mailAdministrators(ctx, row, last, worded('disabled'));
  } else if (hours >= WARN_HOURS && row.warned_at === null) {
    await ctx.db.update(Webhook, { webhook_id }, { warned_at: last.at });
    const until = plus(failing_since, { hours: DISABLE_HOURS });
    await mailAdministrators(
      ctx,
      row,
      last,
      worded('failing, and will be disabled on {day}', { day: { day: dayIn(ctx.app.zone, until) } }),
    );
  }
}

async function mailAdministrators(ctx: Context, row: WebhookRow, last: DeliveryOutcome, state: Spoken): Promise<void> {
  const administrators = await ctx.db.findBy(Technician, { role: 'administrator', active: true, deleted_at: IsNull() });
  const data = {
    webhook_name: `${row.webhook_id} (${new URL(row.url).host})`,
    url: row.url,
    state,
    failing_since: row.failing_since === null ? '' : { at: row.failing_since, zone: ctx.app.zone.name },
    error: last.error ?? '',
  };
  for (const { name, email } of administrators) {
    sendMail(ctx, DisabledMail, { to: { name, address: email }, data });
  }
}
