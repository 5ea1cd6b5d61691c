import { In, IsNull } from '@keelson/core';
import { fill } from '@keelson/core/plugin';
import type { Context } from '@keelson/core';
import { TicketReplies } from '@keelson/modules/tickets';
import { Mailbox, MailboxMessage, MailboxThread } from './entities.ts';

export default [fill(TicketReplies, readReplies)];

/** Returns the reply addresses: the mailbox a ticket came from, or else the first active one. */
async function readReplies({ db }: Context, ticket_id: readonly number[]) {
  const boxes = await db.find(Mailbox, { where: { deleted_at: IsNull() }, order: { mailbox_id: 'ASC' } });
  const came = await db.findBy(MailboxMessage, { ticket_id: In([...ticket_id]) });
  const threads = await db.find(MailboxThread, {
    where: { ticket_id: In([...ticket_id]) },
    order: { created_at: 'ASC' },
  });
  const first = boxes.find((each) => each.active);
  return new Map(
    ticket_id.map((id) => {
      const from = came.find((each) => each.ticket_id === id)?.mailbox_id;
      const box = boxes.find((each) => each.mailbox_id === from && each.active) ?? first;
      const references = threads.filter((each) => each.ticket_id === id && each.message_key.startsWith('<'));
      return [
        id,
        { reply_to: box?.address ?? null, references: references.slice(-10).map((each) => each.message_key) },
      ] as const;
    }),
  );
}
