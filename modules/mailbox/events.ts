import { event, z } from '@keelson/core';

/** A mail was received and stored as it came. */
export const MessageStored = event('mailbox_messages.stored', z.object({ received_id: z.int() }));

/** A mail has become part of a ticket, and its files are to be attached. */
export const FilesDue = event('mailbox_messages.files_due', z.object({ received_id: z.int() }));

export default [MessageStored, FilesDue];
