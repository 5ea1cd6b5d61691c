import { event, z } from '@keelson/core';

/** Emitted when a raw mail is stored. */
export const MessageStored = event('mailbox_messages.stored', z.object({ received_id: z.int() }));

/** Emitted when a mail was added to a ticket and its files must be attached. */
export const FilesDue = event('mailbox_messages.files_due', z.object({ received_id: z.int() }));

/** Emitted when a mail begins to wait for a person's decision. */
export const MailHeld = event('mailbox_messages.held', z.object({ received_id: z.int() }));

/** Emitted when the provider notifies us of new mail in a mailbox. */
export const MailboxNotified = event('mailbox.notified', z.object({ mailbox_id: z.int() }));

/** Emitted when mails to a mailbox stop arriving, and when they arrive again. */
export const MailboxLate = event(
  'mailbox.late',
  z.object({ mailbox_id: z.int(), address: z.string(), since: z.iso.datetime(), reason: z.string() }),
  { webhook: 'admin' },
);
export const MailboxRecovered = event(
  'mailbox.recovered',
  z.object({ mailbox_id: z.int(), address: z.string(), lag_seconds: z.int() }),
  { webhook: 'admin' },
);

export default [MessageStored, FilesDue, MailHeld, MailboxNotified, MailboxLate, MailboxRecovered];
