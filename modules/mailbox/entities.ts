import { choice, flag, id, int, json, key, ref, table, text, when, z, type Row } from '@keelson/core';

export const securities = ['tls', 'starttls', 'none'] as const;

/**
 * How answers leave: from the mailbox over a mail server of its own (`smtp`) or the installation's (`installation`), or
 * from the installation's address with the mailbox as the reply address (`reply_only`).
 */
export const outgoings = ['installation', 'smtp', 'reply_only'] as const;

/** How the mailbox is signed in to: with a password, or by OAuth with a person's consent. */
export const signIns = ['password', 'microsoft', 'google'] as const;

/** How mails are read and sent: by IMAP and SMTP, or by the API of the provider (Microsoft Graph, Gmail). */
export const protocols = ['imap', 'api'] as const;

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
  sign_in: choice(...signIns).default('password'),
  protocol: choice(...protocols).default('imap'),
  /** The directory of Microsoft 365: its id or domain. */
  tenant: text(255).default(''),
  client_id: text(255).default(''),
  /** Sealed. */
  client_secret: text().nullable().hidden(),
  /** The authserv-id of the provider's own mail server in Authentication-Results; without it no sender is verified. */
  authserv_id: text(255).default(''),
  job_type: text(255).nullable(),
  priority: int().nullable(),
  /** Further addresses whose mails arrive in it. */
  aliases: json(z.array(z.string())).nullable(),
  /** The name people see as the sender; empty for the provider's name. */
  sender_name: text(255).default(''),
  /** Below each mail that it sends; a template. */
  signature: text(4000).default(''),
  outgoing: choice(...outgoings).default('reply_only'),
  smtp_host: text(255).default(''),
  smtp_port: int().default(587),
  smtp_security: choice(...securities).default('starttls'),
  /** Empty for the user name and password of the mailbox. */
  smtp_username: text(255).default(''),
  /** Sealed. */
  smtp_password: text().nullable().hidden(),
  /** A mail is sent to it every ten minutes, to see whether mails arrive. */
  canary: flag().default(false),
  active: flag().default(true),
  created_at: when(),
  deleted_at: when().nullable().hidden(),
});
export type Mailbox = Row<typeof Mailbox>;

/** A mailbox's own texts of a mail template. */
export const MailboxTemplate = table(
  'mailbox_template',
  { mailbox_id: ref(Mailbox).primary(), template: key(64).primary(), subject: text(255), body: text() },
  [],
);

/** The mailbox that a technician has chosen as the sender of a ticket's mails. */
export const MailboxTicket = table(
  'mailbox_ticket',
  { ticket_id: int().primary(), mailbox_id: ref(Mailbox), created_at: when() },
  [],
);

/** Read position of a mailbox and the result of the last run. */
export const MailboxState = table('mailbox_state', {
  mailbox_id: ref(Mailbox).primary(),
  uid_validity: text(20).default(''),
  last_uid: int().default(0),
  /** Where an API goes on. */
  cursor: text().nullable(),
  /** The server has asked to be left alone until then. */
  busy_until: when().nullable(),
  last_success_at: when().nullable(),
  last_error: text(500).nullable(),
  /** Start of the current failure. */
  failing_since: when().nullable(),
  /** How long the last canary took. */
  lag_seconds: int().nullable(),
  /** Mails have not arrived since. */
  late_since: when().nullable(),
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
    /** Its id in the API of the provider. */
    source_id: key(255).nullable().hidden(),
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
    /** Its sender was sent a confirmation. */
    answered: flag().default(false).hidden(),
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
    ['mailbox_id', 'source_id'],
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

/** The tokens of a mailbox that a person has signed in to. */
export const MailboxToken = table(
  'mailbox_token',
  {
    mailbox_id: ref(Mailbox).primary(),
    /** Sealed; null once the sign-in has ended. */
    refresh_token: text().nullable().hidden(),
    access_token: text().nullable().hidden(),
    expires_at: when().nullable(),
    /** The end of the sign-in, if the provider names it. */
    refresh_expires_at: when().nullable(),
    /** A process refreshes it until then. */
    refreshing_until: when().nullable(),
    last_error: text(500).nullable(),
    consented_at: when(),
  },
  [],
);

/** Sign-ins that are under way. */
export const MailboxConsent = table(
  'mailbox_consent',
  {
    /** Hash of the state. */
    state_key: key(64).primary(),
    mailbox_id: ref(Mailbox),
    /** Who has begun it. */
    author: text(64),
    /** Sealed. */
    verifier: text().hidden(),
    created_at: when(),
  },
  [['created_at']],
);

/** An address to which a mail of ours could not be delivered for good. */
export const UndeliverableAddress = table(
  'undeliverable_address',
  {
    email_key: key(254).primary().hidden(),
    address: text(254),
    /** The words of the mail server. */
    why: text(300),
    /** The ticket whose mail came back. */
    ticket_id: int().nullable(),
    created_at: when(),
  },
  [['ticket_id']],
);

/** Mails that the installation sends to a mailbox to see whether and when they arrive. */
export const MailboxCanary = table(
  'mailbox_canary',
  {
    canary_id: key(40).primary(),
    mailbox_id: ref(Mailbox),
    sent_at: when(),
    arrived_at: when().nullable(),
    /** Why it could not be sent. */
    error: text(500).nullable(),
  },
  [['mailbox_id', 'sent_at'], ['sent_at']],
);

/** Mails that belong to tickets, each by its Message-ID (with angle brackets) and by its fingerprint. */
export const MailboxThread = table(
  'mailbox_thread',
  { message_key: key(255).primary(), ticket_id: int(), created_at: when() },
  [['ticket_id', 'created_at']],
);
