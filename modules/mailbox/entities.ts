import { choice, flag, id, int, key, ref, table, text, when, type Row } from '@keelson/core';

export const securities = ['tls', 'starttls', 'none'] as const;

/** A mailbox of the provider's whose mails become tickets. */
export const Mailbox = table('mailbox', {
  mailbox_id: id(),
  name: text(255),
  /** Where people write to, and where answers go. */
  address: text(254),
  host: text(255),
  port: int().default(993),
  security: choice(...securities).default('tls'),
  username: text(255),
  /** Sealed; null once the mailbox is deleted. */
  password: text().nullable().hidden(),
  /** The name under which the provider's own mail server writes Authentication-Results; without it no sender is proved. */
  authserv_id: text(255).default(''),
  job_type: text(255).nullable(),
  priority: int().nullable(),
  active: flag().default(true),
  created_at: when(),
  deleted_at: when().nullable().hidden(),
});
export type Mailbox = Row<typeof Mailbox>;

/** How far a mailbox was read, and how that went. */
export const MailboxState = table('mailbox_state', {
  mailbox_id: ref(Mailbox).primary(),
  uid_validity: text(20).default(''),
  last_uid: int().default(0),
  last_success_at: when().nullable(),
  last_error: text(500).nullable(),
  /** Since when it cannot be read. */
  failing_since: when().nullable(),
});

export const messageStates = ['stored', 'ticket', 'comment', 'note', 'review', 'ignored', 'failed'] as const;

/** A mail that was received, and what became of it. */
export const MailboxMessage = table(
  'mailbox_message',
  {
    received_id: id(),
    mailbox_id: ref(Mailbox),
    /** The Message-ID, or the fingerprint of a mail without one: each is received once. */
    message_key: key(255).hidden(),
    from_name: text(255).default(''),
    from_address: text(254).default(''),
    subject: text(500).default(''),
    size: int(),
    state: choice(...messageStates).default('stored'),
    /** Why it became that, in a sentence. */
    reason: text(500).default(''),
    /** Whether the sender was proved to be who they say. */
    verified: flag().default(false),
    ticket_id: int().nullable(),
    company_number: int().nullable(),
    /** Files of it that are attached to the ticket. */
    attached: int().default(0).hidden(),
    received_at: when(),
  },
  [
    ['state', 'received_at', 'received_id'],
    ['received_at', 'received_id'],
    ['ticket_id', 'received_id'],
  ],
  { unique: [['mailbox_id', 'message_key']] },
);
export type MailboxMessage = Row<typeof MailboxMessage>;

/** A mail as it came, sealed, in parts that a database takes at once. */
export const MailboxRaw = table('mailbox_raw', {
  received_id: ref(MailboxMessage).primary(),
  part: int().primary(),
  content: text().hidden(),
});

/** Message-IDs of mails that tickets are about, with their brackets. */
export const MailboxThread = table(
  'mailbox_thread',
  { message_key: key(255).primary(), ticket_id: int(), created_at: when() },
  [['ticket_id', 'created_at']],
);
