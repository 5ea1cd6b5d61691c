import { choice, flag, id, int, json, key, ref, table, text, when, z, type Row } from '@keelson/core';

export const securities = ['tls', 'starttls', 'none'] as const;

/** The provider's mailbox whose mails become tickets. */
export const Mailbox = table('mailbox', {
  mailbox_id: id(),
  name: text(255),
  /** Address of the mailbox; also the reply address. */
  address: text(254),
  host: text(255),
  port: int().default(993),
  security: choice(...securities).default('tls'),
  username: text(255),
  /** Sealed; null once the mailbox is deleted. */
  password: text().nullable().hidden(),
  /** The authserv-id of the provider's own mail server in Authentication-Results; without it no sender is verified. */
  authserv_id: text(255).default(''),
  job_type: text(255).nullable(),
  priority: int().nullable(),
  active: flag().default(true),
  created_at: when(),
  deleted_at: when().nullable().hidden(),
});
export type Mailbox = Row<typeof Mailbox>;

/** Read position of a mailbox and the result of the last run. */
export const MailboxState = table('mailbox_state', {
  mailbox_id: ref(Mailbox).primary(),
  uid_validity: text(20).default(''),
  last_uid: int().default(0),
  last_success_at: when().nullable(),
  last_error: text(500).nullable(),
  /** Start of the current failure. */
  failing_since: when().nullable(),
});

const people = z.array(z.object({ name: z.string(), address: z.string() }));

export const messageStates = ['stored', 'ticket', 'comment', 'note', 'review', 'ignored', 'failed'] as const;

/** Received mail and its outcome. */
export const MailboxMessage = table(
  'mailbox_message',
  {
    received_id: id(),
    mailbox_id: ref(Mailbox),
    /** A fingerprint of the mail, which prevents duplicates. Mails of earlier versions have their Message-ID here. */
    message_key: key(255).hidden(),
    /** With angle brackets; null if the mail has none, or one too long for a key. Not unique: programs repeat theirs. */
    message_id: key(255).nullable(),
    from_name: text(255).default(''),
    from_address: text(254).default(''),
    /** The normalised address. */
    sender_key: key(254).default('').hidden(),
    /** To and Cc, as the mail names them. */
    addressees: json(z.object({ to: people, cc: people })).nullable(),
    subject: text(500).default(''),
    size: int(),
    state: choice(...messageStates).default('stored'),
    /** Reason for the outcome, in a sentence. */
    reason: text(500).default(''),
    /** The sender is authenticated. */
    verified: flag().default(false),
    ticket_id: int().nullable(),
    company_number: int().nullable(),
    /** The comment that it became. */
    comment_id: int().nullable(),
    /** Number of files attached to the ticket so far. */
    attached: int().default(0).hidden(),
    received_at: when(),
  },
  [
    ['state', 'received_at', 'received_id'],
    ['received_at', 'received_id'],
    ['ticket_id', 'received_id'],
    ['message_id', 'received_id'],
    ['sender_key', 'received_id'],
    ['comment_id'],
  ],
  { unique: [['mailbox_id', 'message_key']] },
);
export type MailboxMessage = Row<typeof MailboxMessage>;

/** Raw mail, sealed and split into parts within the database's packet limit. */
export const MailboxRaw = table('mailbox_raw', {
  received_id: ref(MailboxMessage).primary(),
  part: int().primary(),
  content: text().hidden(),
});

/** Mails that belong to tickets, each by its Message-ID (with angle brackets) and by its fingerprint. */
export const MailboxThread = table(
  'mailbox_thread',
  { message_key: key(255).primary(), ticket_id: int(), created_at: when() },
  [['ticket_id', 'created_at']],
);
