// Mailboxes in the console's list, with the results of their last runs.
import { by, In, record, view, z, type Context } from '@keelson/core';
import { CompanyNames } from '@keelson/modules/directory';
import { Mailbox, MailboxState, MailboxSubscription, MailboxToken } from '../entities.ts';

export const Mailboxes = record(Mailbox, {
  title: 'Mailbox',
  call: ({ name }) => name,
  log: { omit: ['password', 'smtp_password', 'client_secret'], names: { company_number: CompanyNames } },
  sorts: { mailbox_id: by('mailbox_id') },
  order: 'asc',
  erased: { active: false, password: null, smtp_password: null, client_secret: null },
});

const states = ['ok', 'failing', 'off', 'new', 'signed_out'] as const;

export const MailboxItem = view(Mailboxes, {
  more: (its) => ({
    company_name: its.name(CompanyNames, 'company_number'),
    has_password: its.from(z.boolean(), ['password'], ({ password }) => password !== null && password !== ''),
    has_smtp_password: its.from(z.boolean(), ['smtp_password'], ({ smtp_password }) => smtp_password !== null),
    has_client_secret: its.from(z.boolean(), ['client_secret'], ({ client_secret }) => client_secret !== null),
    /** When someone signed in to it; null for a mailbox with a password. */
    signed_in_at: its.lookup(z.iso.datetime().nullable(), 'mailbox_id', signedInAt, null),
    /** Mail delivery time; null without canaries. */
    lag_seconds: its.lookup(z.int().nullable().meta({ title: 'Delay in seconds' }), 'mailbox_id', lagOf, null),
    late_since: its.lookup(z.iso.datetime().nullable(), 'mailbox_id', lateSince, null),
    last_success_at: its.lookup(z.iso.datetime().nullable(), 'mailbox_id', lastSuccess, null),
    last_error: its.lookup(z.string().nullable(), 'mailbox_id', lastError, null),
    /** Until when the provider notifies us of new mail; null if it does not, and the mailbox is polled. */
    notified_until: its.lookup(z.iso.datetime().nullable(), 'mailbox_id', notifiedUntil, null),
    /** Why the provider does not notify us. */
    notification_error: its.lookup(z.string().nullable(), 'mailbox_id', notificationError, null),
    state: its.lookup(z.enum(states), 'mailbox_id', stateOf, 'new'),
  }),
});

async function readStates({ db }: Context, mailbox_id: readonly number[]) {
  const rows = await db.findBy(MailboxState, { mailbox_id: In([...mailbox_id]) });
  return new Map(rows.map((each) => [each.mailbox_id, each]));
}

async function lagOf(ctx: Context, ids: readonly number[]) {
  return new Map([...(await readStates(ctx, ids))].map(([id, each]) => [id, each.lag_seconds]));
}

async function lateSince(ctx: Context, ids: readonly number[]) {
  return new Map([...(await readStates(ctx, ids))].map(([id, each]) => [id, each.late_since]));
}

async function lastSuccess(ctx: Context, ids: readonly number[]) {
  return new Map([...(await readStates(ctx, ids))].map(([id, each]) => [id, each.last_success_at]));
}

/** Returns the last errors of failing mailboxes. */
async function lastError(ctx: Context, ids: readonly number[]) {
  return new Map(
    [...(await readStates(ctx, ids))].map(([id, each]) => [id, each.failing_since === null ? null : each.last_error]),
  );
}

async function notifiedUntil(ctx: Context, ids: readonly number[]) {
  const rows = await readSubscriptions(ctx, ids);
  const current = rows.filter((each) => each.subscription_id !== null && (each.expires_at ?? '') > ctx.now);
  return new Map(current.map((each) => [each.mailbox_id, each.expires_at]));
}

async function notificationError(ctx: Context, ids: readonly number[]) {
  return new Map((await readSubscriptions(ctx, ids)).map((each) => [each.mailbox_id, each.last_error]));
}

const readSubscriptions = ({ db }: Context, ids: readonly number[]): Promise<MailboxSubscription[]> =>
  db.findBy(MailboxSubscription, { mailbox_id: In([...ids]) });

/** Returns when someone signed in, for mailboxes whose sign-in is still valid. */
async function signedInAt({ db }: Context, ids: readonly number[]) {
  const tokens = await db.findBy(MailboxToken, { mailbox_id: In([...ids]) });
  const valid = tokens.filter((each) => each.refresh_token !== null);
  return new Map(valid.map((each) => [each.mailbox_id, each.consented_at]));
}

async function stateOf(ctx: Context, ids: readonly number[]) {
  const signedIn = await signedInAt(ctx, ids);
  const boxes = await ctx.db.findBy(Mailbox, { mailbox_id: In([...ids]) });
  const known = await readStates(ctx, ids);
  return new Map(
    boxes.map(({ mailbox_id, active, sign_in }) => {
      const its = known.get(mailbox_id);
      const isOut = sign_in !== 'password' && !signedIn.has(mailbox_id);
      const state = !active
        ? 'off'
        : isOut
          ? 'signed_out'
          : its?.failing_since
            ? 'failing'
            : its?.last_success_at
              ? 'ok'
              : 'new';
      return [mailbox_id, state] as const;
    }),
  );
}
