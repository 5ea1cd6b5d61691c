// Mails that wait for a person's decision: held for review, or failed.
import { announceChange, In, LessThan, type Context } from '@keelson/core';
import { MailboxMessage } from '../entities.ts';
import { MailHeld } from '../events.ts';

const states: readonly MailboxMessage['state'][] = ['review', 'failed'];

export const isWaiting = ({ state }: Pick<MailboxMessage, 'state'>): boolean => states.includes(state);

const waiting = { state: In([...states]) } as const;

export const countWaiting = ({ db }: Context): Promise<number> => db.countBy(MailboxMessage, waiting);

/** Returns a mail that still waits, and whether it is the first one that does. */
export async function findHeld({ db }: Context, received_id: number) {
  const mail = await db.findOneBy(MailboxMessage, { ...waiting, received_id });
  if (!mail) return undefined;
  const isFirst = !(await db.existsBy(MailboxMessage, { ...waiting, received_id: LessThan(received_id) }));
  return { mail, isFirst };
}

type Outcome = Partial<MailboxMessage> & Pick<MailboxMessage, 'state'>;

/** Stores the outcome of a mail. Tells technicians if it now waits, and open pages if one more or less waits. */
export async function setOutcome(ctx: Context, before: MailboxMessage, outcome: Outcome): Promise<void> {
  const { received_id } = before;
  await ctx.db.update(MailboxMessage, { received_id }, outcome);
  if (isWaiting(before) !== isWaiting(outcome))
    announceChange(ctx, { of: MailboxMessage, row: before, kind: 'changed', internal: true });
  if (before.state === 'stored' && isWaiting(outcome)) ctx.emit(MailHeld, { received_id });
}
