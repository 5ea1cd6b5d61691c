import { event, z } from '@keelson/core';

/** Emitted when a raw mail is stored. */
export const MessageStored = event('mailbox_messages.stored', z.object({ received_id: z.int() }));

/** Emitted when a mail has joined a ticket and its files must be attached. */
export const FilesDue = event('mailbox_messages.files_due', z.object({ received_id: z.int() }));

export default [MessageStored, FilesDue];
