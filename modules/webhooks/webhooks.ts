// The two registries: what is in them, and who may come in.
import { changed, changesBetween, invalid, notFound, plus, type Context } from '@keelson/core';
import { webhookSecret } from '@keelson/core/system';
import { Webhook, type Registry, type WebhookRow } from './entities.ts';
import { checkedEvents } from './events.ts';
import { seal, unseal } from './secrets.ts';

export interface NewWebhook {
  readonly url: string;
  readonly events: readonly string[];
  /** One is made and shown in the answer when it is left out (EV-09). */
  readonly secret?: string | undefined;
  readonly active?: boolean | undefined;
}

export interface NewlyMade {
  readonly webhook: WebhookRow;
  /** The one we made, readable only now. */
  readonly secret?: string;
}

const MOST = 200;
const NEVER_FAILED = { failure_count: 0, failing_since: null, failed_events: 0, warned_at: null } as const;

/** A registry, newest first; it is short. */
export function listWebhooks(ctx: Context, registry: Registry): Promise<WebhookRow[]> {
  return ctx.db.find(Webhook, { registry, deleted_at: null }, { order: [['webhook_id', 'DESC']] });
}

/** @throws notFound() when the registry has none of this id */
export async function findWebhook(
  ctx: Context,
  registry: Registry,
  webhook_id: number,
  { lock = false } = {},
): Promise<WebhookRow> {
  const row = await ctx.db.one(Webhook, { webhook_id, registry, deleted_at: null }, { lock });
  if (!row) throw notFound('Webhook');
  return row;
}

/** The same, for changing it. */
export function lockWebhook(ctx: Context, registry: Registry, webhook_id: number): Promise<WebhookRow> {
  return findWebhook(ctx, registry, webhook_id, { lock: true });
}

/** Registers a receiver. @throws invalid() for an address or an event that it may not have */
export async function createWebhook(ctx: Context, registry: Registry, input: NewWebhook): Promise<NewlyMade> {
  const events = checkedEvents(ctx.app, registry, input.events);
  refuseUrl(ctx, input.url);
  if ((await ctx.db.count(Webhook, { registry, deleted_at: null })) >= MOST) {
    throw invalid(`There can be at most ${MOST} webhooks`);
  }
  const made = input.secret === undefined ? webhookSecret() : undefined;
  const { url, active = true } = input;
  const webhook_id = await ctx.db.insert(Webhook, { registry, url, events, active, created_at: ctx.now });
  const secret = seal(ctx.app, webhook_id, input.secret ?? made ?? '');
  await ctx.db.update(Webhook, { webhook_id }, { secret });
  const description = `Registered webhook ${webhook_id} for ${new URL(url).host}`;
  ctx.record({ action: 'create', entity_type: 'webhook', entity_id: webhook_id, description });
  changed(ctx, Webhook);
  const webhook = await findWebhook(ctx, registry, webhook_id);
  return made === undefined ? { webhook } : { webhook, secret: made };
}

/** Changes what is given. Switched on again, its failures are forgotten (EV-07). @throws as createWebhook */
export async function updateWebhook(
  ctx: Context,
  webhook: WebhookRow,
  input: Partial<NewWebhook>,
): Promise<WebhookRow> {
  const { webhook_id, registry } = webhook;
  if (input.url !== undefined) refuseUrl(ctx, input.url);
  const events = input.events && checkedEvents(ctx.app, registry, input.events);
  const plain = { url: input.url, events, active: input.active };
  const secret = newSecret(ctx, webhook, input.secret);
  const changes = changesBetween({ ...webhook }, { ...plain, ...(secret && { secret: secret.secret }) }, [
    'url',
    'secret',
  ]);
  if (Object.keys(changes).length === 0 && !(input.active && webhook.failing_since !== null)) return webhook;
  await ctx.db.update(Webhook, { webhook_id }, { ...plain, ...secret, ...(input.active && NEVER_FAILED) });
  const description = `Changed webhook ${webhook_id}`;
  ctx.record({ action: 'update', entity_type: 'webhook', entity_id: webhook_id, description, changes });
  changed(ctx, Webhook);
  return findWebhook(ctx, registry, webhook_id);
}

/** Its secrets go at once (V-25), what waits for it is never sent, and its log goes with the next sweep (jobs.ts). */
export async function deleteWebhook(ctx: Context, { webhook_id, url }: WebhookRow): Promise<void> {
  const gone = { deleted_at: ctx.now, active: false, secret: null, previous_secret: null, previous_until: null };
  await ctx.db.update(Webhook, { webhook_id }, gone);
  const description = `Removed webhook ${webhook_id} for ${new URL(url).host}`;
  ctx.record({ action: 'delete', entity_type: 'webhook', entity_id: webhook_id, description });
  changed(ctx, Webhook);
}

/** Says what its text shows; names are judged by their addresses with every delivery (EV-08). */
function refuseUrl(ctx: Context, url: string): void {
  const problem = ctx.app.egress.check(url);
  if (problem) throw invalid(problem.replace(/^The URL/, 'url'));
}

/** For a day both secrets sign (D15), so that the receiver may change its own in its time. */
function newSecret(ctx: Context, webhook: WebhookRow, secret: string | undefined) {
  const known = webhook.secret;
  if (secret === undefined || (known !== null && unseal(ctx.app, webhook, known) === secret)) return undefined;
  const previous_until = plus(ctx.now, { hours: 24 });
  return { secret: seal(ctx.app, webhook.webhook_id, secret), previous_secret: known, previous_until };
}
