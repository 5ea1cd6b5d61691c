// Metrics of mailboxes, labelled by address.
import { In, IsNull, secondsBetween, type App, type Context, type Row } from '@keelson/core';
import { Mailbox, MailboxState } from './entities.ts';

type State = Row<typeof MailboxState>;

/** Adds the mailbox metrics. */
export function addMetrics(app: App): void {
  const add = (name: string, help: string, valueOf: (mailbox: Mailbox, state: State, now: string) => number | null) =>
    app.metrics.gaugeOfEach(name, help, { by: 'mailbox', read: () => readEach(app.system(), valueOf) });
  add('keelson_mailbox_lag_seconds', 'Seconds that mails take to arrive, by the last test mail.', lagOf);
  add(
    'keelson_mailbox_last_success_seconds',
    'When the mailbox was last read, as a Unix time.',
    ({ created_at }, state) => secondsOf(state.last_success_at ?? created_at),
  );
  add('keelson_mailbox_failing', '1 if the mailbox cannot be read.', (_, { failing_since }) =>
    failing_since === null ? 0 : 1,
  );
}

/** Returns a value for each active mailbox; null if it has none. */
async function readEach(ctx: Context, valueOf: (mailbox: Mailbox, state: State, now: string) => number | null) {
  const boxes = await ctx.db.findBy(Mailbox, { active: true, deleted_at: IsNull() });
  const states = await ctx.db.findBy(MailboxState, { mailbox_id: In(boxes.map((each) => each.mailbox_id)) });
  const now = ctx.app.clock.now();
  return new Map(
    boxes.flatMap((mailbox) => {
      const state = states.find((each) => each.mailbox_id === mailbox.mailbox_id);
      const value = state ? valueOf(mailbox, state, now) : null;
      return value === null ? [] : [[mailbox.address, value] as const];
    }),
  );
}

/** The age of an overdue canary, or the delay of the last one. */
function lagOf({ canary }: Mailbox, { late_since, lag_seconds }: State, now: string): number | null {
  if (!canary) return null;
  return late_since === null ? lag_seconds : secondsBetween(late_since, now);
}

const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1000);
