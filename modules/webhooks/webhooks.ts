// Webhook registries (N-21): registration, changes and removal.
import { change, create, invalid, IsNull, notFound, plus, record, view, z, type Context } from '@keelson/core';
import { webhookSecret } from '@keelson/core/system';
import { Webhook, type Registry, type WebhookRow } from './entities.ts';
import { checkedEvents, WebhookRestored } from './events.ts';
import { seal, unseal } from './secrets.ts';

/** Limits per registry, and per person or key within it. */
const MAX_WEBHOOKS = 200;
const MAX_OWN_WEBHOOKS = 50;
const withoutFailures = { failure_count: 0, failing_since: null, failed_events: 0, warned_at: null } as const;
const withoutSecrets = { secret: null, previous_secret: null, previous_until: null } as const;

export const Webhooks = record(Webhook, {
  title: 'Webhook',
  call: ({ url }) => new URL(url).host,
  log: {
    // The rest of a URL may contain a token.
    redact: ({ url }) => ({ url: new URL(url).origin }),
    omit: ['previous_secret', 'previous_until', 'failure_count', 'failing_since', 'failed_events', 'warned_at'],
  },
  erased: { active: false, ...withoutSecrets },
  changed(ctx, changes) {
    for (const { before, after } of changes)
      if (after.active && !before.active) ctx.emit(WebhookRestored, { webhook_id: after.webhook_id });
  },
  removed(ctx, webhooks) {
    for (const { webhook_id, active } of webhooks) if (!active) ctx.emit(WebhookRestored, { webhook_id });
  },
  async prepare(ctx, { registry, url }, before) {
    if (url !== before?.url) checkUrl(ctx, url);
    if (!before) await requireRoom(ctx, registry);
  },
});

/** Webhook in responses (F-70). */
export const WebhookItem = view(Webhooks, {
  more: (its) => ({ has_secret: its.from(z.boolean(), ['secret'], ({ secret }) => secret !== null) }),
});
export const CrmWebhookItem = view(Webhooks, {
  except: ['active'],
  more: (its) => ({ has_secret: its.from(z.boolean(), ['secret'], ({ secret }) => secret !== null) }),
});

export interface NewWebhook {
  readonly url: string;
  readonly events: readonly string[];
  /** Generated if omitted (EV-09). */
  readonly secret?: string | undefined;
  readonly active?: boolean | undefined;
}

export interface CreatedWebhook {
  readonly webhook: WebhookRow;
  /** The generated secret, returned only here. */
  readonly secret?: string;
}

/** Returns the webhooks of a registry, newest first; the list is short. */
export function listWebhooks(ctx: Context, registry: Registry): Promise<WebhookRow[]> {
  return ctx.db.find(Webhook, { where: { registry, deleted_at: IsNull() }, order: { webhook_id: 'DESC' } });
}

/** Returns a webhook. @throws notFound() if the registry has no webhook with this id */
export async function findWebhook(
  ctx: Context,
  registry: Registry,
  webhook_id: number,
  { lock = false } = {},
): Promise<WebhookRow> {
  const row = await ctx.db.findOne(Webhook, {
    where: { webhook_id, registry, deleted_at: IsNull() },
    lock: lock ? { mode: 'pessimistic_write' } : undefined,
  });
  if (!row) throw notFound('Webhook');
  return row;
}

/** Locks and returns a webhook. @throws notFound() */
export function lockWebhook(ctx: Context, registry: Registry, webhook_id: number): Promise<WebhookRow> {
  return findWebhook(ctx, registry, webhook_id, { lock: true });
}

/** Registers a webhook. @throws invalid() for a forbidden URL or an unknown event */
export async function createWebhook(ctx: Context, registry: Registry, input: NewWebhook): Promise<CreatedWebhook> {
  const { url, active, secret = webhookSecret() } = input;
  const events = checkedEvents(ctx.app, registry, input.events);
  const webhook = await create(
    ctx,
    Webhooks,
    { registry, url, events, active, ...authorOf(ctx) },
    {
      // The seal includes the id, so the secret cannot be inserted with the row.
      async store(row) {
        row.secret = seal(ctx.app, row.webhook_id, secret);
        await ctx.db.update(Webhook, { webhook_id: row.webhook_id }, { secret: row.secret });
      },
    },
  );
  return input.secret === undefined ? { webhook, secret } : { webhook };
}

/**
 * Changes the given fields. Setting `active` resets the failures, even if already active (EV-07).
 * @throws as createWebhook
 */
export function updateWebhook(ctx: Context, webhook: WebhookRow, input: Partial<NewWebhook>): Promise<WebhookRow> {
  const { url, active, secret } = input;
  const events = input.events && checkedEvents(ctx.app, webhook.registry, input.events);
  return change(ctx, Webhooks, webhook, {
    url,
    events,
    active,
    ...(active && withoutFailures),
    ...(secret !== undefined && newSecret(ctx, webhook, secret)),
  });
}

const authorOf = ({ author }: Context) => ({ author_type: author.type, author_id: author.id });

/** Checks the limits on webhooks. @throws invalid() naming the limit if the registry or the caller has reached it */
async function requireRoom(ctx: Context, registry: Registry): Promise<void> {
  const there = { registry, deleted_at: IsNull() };
  const { type: author_type, id: author_id } = ctx.author;
  const own = author_id === null ? 0 : await ctx.db.countBy(Webhook, { ...there, author_type, author_id });
  if (own >= MAX_OWN_WEBHOOKS) throw invalid(`Each person or key can have at most ${MAX_OWN_WEBHOOKS} webhooks`);
  if ((await ctx.db.countBy(Webhook, there)) >= MAX_WEBHOOKS)
    throw invalid(`There can be at most ${MAX_WEBHOOKS} webhooks`);
}

/** Rejects invalid URLs. The resolved address is checked on each delivery (EV-08). */
function checkUrl(ctx: Context, url: string): void {
  const problem = ctx.app.egress.check(url);
  if (problem) throw invalid(problem.replace(/^The URL/, 'url'));
}

/** Both secrets sign for a day (SF-15), so that the receiver can switch in the meantime. */
function newSecret(ctx: Context, { webhook_id, secret: current }: WebhookRow, secret: string): Partial<WebhookRow> {
  if (current !== null && unseal(ctx.app, webhook_id, current) === secret) return {};
  const previous_until = plus(ctx.now, { hours: 24 });
  return { secret: seal(ctx.app, webhook_id, secret), previous_secret: current, previous_until };
}
