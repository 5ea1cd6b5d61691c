import { choice, flag, id, int, json, key, ref, table, text, when, z, type Row } from '@keelson/core';
import { Company } from '@keelson/modules/directory';

export const securities = ['tls', 'starttls', 'none'] as const;

/**
 * How replies are sent: from the mailbox over its own mail server (`smtp`) or the installation's (`installation`), or
 * from the installation's address with the mailbox as Reply-To (`reply_only`).
 */
export const outgoings = ['installation', 'smtp', 'reply_only'] as const;

/** How to sign in to the mailbox: with a password, or by OAuth with a person's consent. */
export const signIns = ['password', 'microsoft', 'google'] as const;

/** How mails are read and sent: over IMAP and SMTP, or over the provider's API (Microsoft Graph, Gmail). */
export const protocols = ['imap', 'api'] as const;

/** A mailbox of the provider whose mails become tickets. */
export const Mailbox = table('mailbox', {
  mailbox_id: id(),
  name: text(255),
  /** The mailbox's address, also used as the reply address. */
  address: text(254),
  host: text(255),
  port: int().default(993),
  security: choice(...securities).default('tls'),
  username: text(255),
  /** Sealed; null once the mailbox is deleted. */
  password: text().nullable().hidden(),
  sign_in: choice(...signIns).default('password'),
  protocol: choice(...protocols).default('imap'),
  /** The Microsoft 365 tenant: its id or domain. */
  tenant: text(255).default(''),
  client_id: text(255).default(''),
  /** Sealed. */
  client_secret: text().nullable().hidden(),
  /** The authserv-id of the provider's own mail server in Authentication-Results; without it, no sender is verified. */
  authserv_id: text(255).default(''),
  job_type: text(255).nullable(),
  priority: int().nullable(),
  /** The company that unknown senders are added to; null for a mailbox of all customers. */
  company_number: ref(Company).nullable(),
  /** Further addresses that deliver to the mailbox. */
  aliases: json(z.array(z.string())).nullable(),
  /** Another one: technicians’ mails to it are internal notes. */
  note_address: text(254).nullable(),
  /** For how many days after it was closed a reply reopens a ticket. */
  reopen_days: int().default(14),
  /** The displayed sender name; empty for the provider's name. */
  sender_name: text(255).default(''),
  /** Template appended to every mail sent from the mailbox. */
  signature: text(4000).default(''),
  outgoing: choice(...outgoings).default('reply_only'),
  smtp_host: text(255).default(''),
  smtp_port: int().default(587),
  smtp_security: choice(...securities).default('starttls'),
  /** Empty to use the mailbox's user name and password. */
  smtp_username: text(255).default(''),
  /** Sealed. */
  smtp_password: text().nullable().hidden(),
  /** Whether to send a canary mail every ten minutes. */
  canary: flag().default(false),
  active: flag().default(true),
  created_at: when(),
  deleted_at: when().nullable().hidden(),
});
export type Mailbox = Row<typeof Mailbox>;

/** A mailbox's own version of a mail template. */
export const MailboxTemplate = table(
  'mailbox_template',
  { mailbox_id: ref(Mailbox).primary(), template: key(64).primary(), subject: text(255), body: text() },
  [],
);

/** The mailbox a technician has chosen as the sender for a ticket. */
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
  /** Cursor of an API. */
  cursor: text().nullable(),
  /** Until when the server asked us to pause. */
  busy_until: when().nullable(),
  last_success_at: when().nullable(),
  last_error: text(500).nullable(),
  /** Start of the current failure. */
  failing_since: when().nullable(),
  /** How long the last canary took. */
  lag_seconds: int().nullable(),
  /** Since when mails have not been arriving. */
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
    /** A fingerprint of the mail, which prevents duplicates. For mails stored by earlier versions, the Message-ID. */
    message_key: key(255).hidden(),
    /** With angle brackets; null if missing or too long for a key. Not unique, because some programs reuse theirs. */
    message_id: key(255).nullable(),
    /** Its id in the provider's API. */
    source_id: key(255).nullable().hidden(),
    from_name: text(255).default(''),
    from_address: text(254).default(''),
    /** The normalised address. */
    sender_key: key(254).default('').hidden(),
    /** To and Cc headers of the mail. */
    addressees: json(z.object({ to: people, cc: people })).nullable(),
    subject: text(500).default(''),
    size: int(),
    state: choice(...messageStates).default('stored'),
    /** Reason for the outcome, as a sentence. */
    reason: text(500).default(''),
    /** Why its files are not attached yet, as a sentence; empty otherwise. */
    files_problem: text(500).default(''),
    /** Whether the sender is authenticated. */
    verified: flag().default(false),
    ticket_id: int().nullable(),
    company_number: int().nullable(),
    /** The ticket that a mail names without having become part of it; null once a person has decided on the mail. */
    about_ticket_id: int().nullable().hidden(),
    /** The comment created from it. */
    comment_id: int().nullable(),
    /** Whether the sender was sent a confirmation. */
    answered: flag().default(false).hidden(),
    /** Number of files attached to the ticket so far. */
    attached: int().default(0).hidden(),
    received_at: when(),
  },
  [
    ['state', 'received_at', 'received_id'],
    ['received_at', 'received_id'],
    ['ticket_id', 'received_id'],
    ['about_ticket_id', 'received_id'],
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

/** Tokens of a mailbox that a person has signed in to. */
export const MailboxToken = table(
  'mailbox_token',
  {
    mailbox_id: ref(Mailbox).primary(),
    /** Sealed; null once the sign-in has expired. */
    refresh_token: text().nullable().hidden(),
    access_token: text().nullable().hidden(),
    expires_at: when().nullable(),
    /** When the sign-in expires, if the provider says so. */
    refresh_expires_at: when().nullable(),
    /** Until when a process is refreshing it. */
    refreshing_until: when().nullable(),
    last_error: text(500).nullable(),
    consented_at: when(),
  },
  [],
);

/** A subscription to the new mail of a mailbox that is read over Microsoft Graph (notifications.ts). */
export const MailboxSubscription = table(
  'mailbox_subscription',
  {
    mailbox_id: ref(Mailbox).primary(),
    /** Microsoft's id; null while there is none. */
    subscription_id: key(255).nullable(),
    /** Hash of the secret that its notifications carry. */
    secret_hash: key(64).default('').hidden(),
    expires_at: when().nullable(),
    /** When to renew it, or to try again. */
    next_at: when(),
    /** A notification has arrived, and the mailbox is about to be read. */
    notified: flag().default(false),
    /** Why Microsoft refused it. */
    last_error: text(500).nullable(),
  },
  [],
);
export type MailboxSubscription = Row<typeof MailboxSubscription>;

/** Pending sign-ins. */
export const MailboxConsent = table(
  'mailbox_consent',
  {
    /** Hash of the state. */
    state_key: key(64).primary(),
    mailbox_id: ref(Mailbox),
    /** Who started it. */
    author: text(64),
    /** Sealed. */
    verifier: text().hidden(),
    created_at: when(),
  },
  [['created_at']],
);

/** An address to which delivery failed permanently. */
export const UndeliverableAddress = table(
  'undeliverable_address',
  {
    email_key: key(254).primary().hidden(),
    address: text(254),
    /** The mail server's message. */
    why: text(300),
    /** The ticket whose mail bounced. */
    ticket_id: int().nullable(),
    created_at: when(),
  },
  [['ticket_id']],
);

/** Canary mails sent to a mailbox to monitor delivery. */
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

/** Mails that belong to tickets, identified by Message-ID (with angle brackets) and by fingerprint. */
export const MailboxThread = table(
  'mailbox_thread',
  { message_key: key(255).primary(), ticket_id: int(), created_at: when() },
  [['ticket_id', 'created_at']],
);

export const ruleOutcomes = ['add_contact', 'block'] as const;

/** What becomes of mails from senders who are no contacts (sender-rules.ts). */
export const MailboxRule = table(
  'mailbox_rule',
  {
    rule_id: id(),
    /** An address, or the domain of addresses; in lower case. */
    sender: key(254).unique(),
    outcome: choice(...ruleOutcomes),
    /** Whose contacts the senders become; null for blocked ones. */
    company_number: ref(Company).nullable(),
    created_at: when(),
    updated_at: when(),
  },
  [['company_number', 'sender', 'rule_id']],
);
export type MailboxRule = Row<typeof MailboxRule>;

export default [
  Mailbox,
  MailboxState,
  MailboxMessage,
  MailboxRaw,
  MailboxThread,
  MailboxTemplate,
  MailboxTicket,
  MailboxToken,
  MailboxConsent,
  MailboxCanary,
  MailboxSubscription,
  MailboxRule,
  UndeliverableAddress,
];
