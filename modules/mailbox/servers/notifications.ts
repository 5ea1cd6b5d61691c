// Change notifications of Microsoft Graph: Microsoft calls this installation when mail arrives, so that it is received
// at once. They need a public HTTPS address. Polling (receive.ts) continues, because Microsoft may lose a notification
// or delay it.
// https://learn.microsoft.com/graph/change-notifications-delivery-webhooks
import { In, IsNull, plus, secret, z, type Context } from '@keelson/core';
import { eachApart, instant } from '@keelson/core/kit';
import { Mailbox, MailboxSubscription } from '../entities.ts';
import { MailboxNotified } from '../events.ts';
import { jsonOf, type ApiClient } from './api-client.ts';
import { graphClientOf } from './reach.ts';
import { readActive, receiveFrom } from './receive.ts';
import { hashOf } from './secrets.ts';
import { MailboxAway, MailboxBusy } from './source.ts';

export const NOTIFICATIONS = '/mailbox-notifications';

/** Subscriptions to messages may last three days; a subscription that nobody renews ends soon after. */
const LASTS = { days: 2 } as const;
/** Remaining time at which a subscription is renewed. */
const RENEWED = { days: 1 } as const;
/** How long after a refusal Microsoft is asked again. */
const PAUSE = { hours: 1 } as const;

const JSON_HEADERS = { 'Content-Type': 'application/json' };
const CREATED = 201;
const NOT_FOUND = 404;

const Subscribed = z.looseObject({ id: z.string().min(1).max(255), expirationDateTime: z.iso.datetime() });

/**
 * Subscribes to the inboxes that are read over Microsoft Graph, renews subscriptions, and ends those of mailboxes that
 * are no longer read that way. A refusal is shown at the mailbox, which is polled anyway.
 */
export async function keepSubscribed(outside: Context): Promise<void> {
  const isReachable = outside.app.config.baseUrl.startsWith('https:');
  const wanted = isReachable ? (await readActive(outside)).filter(isOnGraph) : [];
  const known = await outside.db.find(MailboxSubscription);
  const has = new Map(known.map((each) => [each.mailbox_id, each]));
  const ids = new Set(wanted.map((each) => each.mailbox_id));
  await eachApart(
    known.filter((each) => !ids.has(each.mailbox_id)),
    ({ mailbox_id }) => `mailbox ${mailbox_id}`,
    (each) => unsubscribe(outside, each),
  );
  const due = wanted.filter(({ mailbox_id }) => (has.get(mailbox_id)?.next_at ?? '') <= outside.now);
  await eachApart(
    due,
    ({ address }) => `mailbox ${address}`,
    (mailbox) => subscribe(outside, mailbox, has.get(mailbox.mailbox_id)),
  );
}

const isOnGraph = ({ protocol, sign_in }: Mailbox): boolean => protocol === 'api' && sign_in === 'microsoft';

type Subscription = Pick<MailboxSubscription, 'subscription_id'>;

async function subscribe(outside: Context, mailbox: Mailbox, before: Subscription | undefined): Promise<void> {
  const { mailbox_id } = mailbox;
  try {
    const graph = graphClientOf(outside, mailbox);
    if (before?.subscription_id && (await renew(outside, graph, mailbox_id, before.subscription_id))) return;
    await create(outside, graph, mailbox);
  } catch (error) {
    if (!(error instanceof MailboxAway)) throw error;
    const next_at = plus(outside.now, error instanceof MailboxBusy ? { seconds: error.seconds } : PAUSE);
    const failed = { last_error: error.message.slice(0, 500), next_at };
    await outside.db.upsert(MailboxSubscription, { mailbox_id, ...failed }, ['mailbox_id']);
  }
}

interface Graph {
  readonly request: ApiClient;
  readonly base: string;
}

/** Renews a subscription. @returns false if Microsoft does not know it any more */
async function renew(
  outside: Context,
  { request, base }: Graph,
  mailbox_id: number,
  subscription_id: string,
): Promise<boolean> {
  const body = JSON.stringify({ expirationDateTime: plus(outside.now, LASTS) });
  const url = `${base}/v1.0/subscriptions/${encodeURIComponent(subscription_id)}`;
  const answer = await request(url, { method: 'PATCH', headers: JSON_HEADERS, body });
  if (answer.status === NOT_FOUND) return false;
  await outside.db.update(MailboxSubscription, { mailbox_id, subscription_id }, stateOf(read(jsonOf(answer))));
  return true;
}

/**
 * Creates a subscription. Microsoft validates the address before it answers. The secret is stored before the
 * request, so that a notification that overtakes the answer is not lost.
 */
async function create(outside: Context, { request, base }: Graph, { mailbox_id, username }: Mailbox): Promise<void> {
  const clientState = secret();
  const row = {
    mailbox_id,
    subscription_id: null,
    secret_hash: hashOf(clientState),
    next_at: plus(outside.now, PAUSE),
  };
  await outside.db.upsert(MailboxSubscription, row, ['mailbox_id']);
  const notificationUrl = `${outside.app.config.baseUrl}${NOTIFICATIONS}?id=${mailbox_id}`;
  const answer = await request(`${base}/v1.0/subscriptions`, {
    method: 'POST',
    headers: JSON_HEADERS,
    body: JSON.stringify({
      changeType: 'created',
      notificationUrl,
      lifecycleNotificationUrl: notificationUrl,
      resource: `/users/${encodeURIComponent(username)}/mailFolders('inbox')/messages`,
      expirationDateTime: plus(outside.now, LASTS),
      clientState,
    }),
  });
  const subscribed = read(jsonOf(answer, CREATED));
  const set = { subscription_id: subscribed.id, ...stateOf(subscribed) };
  await outside.db.update(MailboxSubscription, { mailbox_id, secret_hash: row.secret_hash }, set);
}

function read(answer: unknown): z.infer<typeof Subscribed> {
  const subscribed = Subscribed.safeParse(answer);
  if (!subscribed.success) throw new MailboxAway('Microsoft Graph’s response cannot be read');
  return subscribed.data;
}

function stateOf({ expirationDateTime }: z.infer<typeof Subscribed>) {
  const expires_at = instant(Date.parse(expirationDateTime));
  return { expires_at, next_at: plus(expires_at, { days: -RENEWED.days }), notified: false, last_error: null };
}

/** Ends a subscription. One that cannot be ended expires by itself, and its notifications are ignored. */
async function unsubscribe(outside: Context, { mailbox_id, subscription_id }: MailboxSubscription): Promise<void> {
  await outside.db.delete(MailboxSubscription, { mailbox_id });
  const mailbox = await outside.db.findOneBy(Mailbox, { mailbox_id, deleted_at: IsNull() });
  if (!mailbox || !isOnGraph(mailbox) || subscription_id === null) return;
  const { request, base } = graphClientOf(outside, mailbox);
  await request(`${base}/v1.0/subscriptions/${encodeURIComponent(subscription_id)}`, { method: 'DELETE' }).catch(
    (err: unknown) => {
      if (!(err instanceof MailboxAway)) throw err;
      outside.log.warn({ err, mailbox_id }, 'mailbox: a subscription could not be ended');
    },
  );
}

/** A notification, as far as it is used. The mails themselves are read from the mailbox. */
export const Notification = z.looseObject({
  clientState: z.string().max(255).nullish(),
  lifecycleEvent: z.string().max(64).nullish(),
});
export type Notification = z.infer<typeof Notification>;

/** Has a mailbox read soon if one of the notifications is genuine. Further ones wait for that read. */
export async function takeNotifications(
  ctx: Context,
  mailbox_id: number,
  notifications: readonly Notification[],
): Promise<void> {
  const hashes = new Set(notifications.map((each) => hashOf(each.clientState ?? '')));
  const its = await ctx.db.findOneBy(MailboxSubscription, { mailbox_id, secret_hash: In([...hashes]) });
  if (!its) return;
  // Lost, ended, or soon to end: the job renews it, or subscribes again.
  if (notifications.some((each) => each.lifecycleEvent))
    await ctx.db.update(MailboxSubscription, { mailbox_id }, { next_at: ctx.now });
  const { affected } = await ctx.db.update(MailboxSubscription, { mailbox_id, notified: false }, { notified: true });
  if (affected > 0) ctx.emit(MailboxNotified, { mailbox_id });
}

/** Reads a mailbox that a notification named. */
export async function receiveNotified(outside: Context, mailbox_id: number): Promise<void> {
  // First: what arrives during the read is announced again.
  await outside.db.update(MailboxSubscription, { mailbox_id }, { notified: false });
  const mailbox = (await readActive(outside)).find((each) => each.mailbox_id === mailbox_id);
  if (mailbox && isOnGraph(mailbox)) await receiveFrom(outside, mailbox);
}
