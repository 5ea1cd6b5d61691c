// The mail service of a tenant, its servers and senders, and the context for writing and sending mail.
import type { Database } from '@keelson/database/db.ts';
import type { WorkContext } from '@keelson/events/work-context.ts';
import type { Clock } from '@keelson/kit/time.ts';
import type { Wording } from '@keelson/kit/wording.ts';
import type { Activity } from '@keelson/log/activity.ts';
import type { Vault } from '@keelson/security/vault.ts';
import type { Storage } from '@keelson/storage';
import type { Logger } from 'pino';
import type { MailBrand } from './mail-page.ts';
import type { MailTemplate } from './mail-template.ts';
import type { Words } from './mail-words.ts';
import type { SmtpMessage, SmtpServer } from './smtp.ts';

/** What mails need to know of an installation. */
export interface MailConfig {
  readonly baseUrl: string;
  readonly tenantName: string;
  /** The mail server, which then takes precedence over the administrators' setting. */
  readonly smtpUrl?: string | undefined;
  /** The sender address of that server. */
  readonly mailFrom?: string | undefined;
}

/** A sender with its own transport. */
export interface Sending {
  readonly id: string;
  readonly way: MailWay;
}

/** A mail server and the sender address. */
export interface MailServer {
  readonly smtp: Omit<SmtpServer, 'name'>;
  /** Defaults to the provider's name if empty. */
  readonly from: Mailbox;
}

/** An outgoing transport other than the installation's server. */
export interface MailWay {
  /** Maximum total size of attached files in a message; undefined for the default limit. */
  readonly mostBytes?: number;
  /** Sends a message. @throws ServerAway, MailRefused */
  deliver(message: SmtpMessage): Promise<void>;
  /** Connects and signs in without sending. @throws ServerAway */
  attempt(): Promise<void>;
}

/** A sender in addition to the installation, such as the mailbox of a brand. */
export interface MailSender {
  /** Defaults to the provider's name if empty. */
  readonly from: Mailbox;
  /** Additional addresses to send from. */
  readonly aliases: readonly string[];
  /** Appended to each mail. A template with agent_name, sender_name, sender_address and the common placeholders. */
  readonly signature: string;
  /** Its own texts, by template key. */
  readonly words: ReadonlyMap<string, Words>;
  /** Undefined to use the installation's server. */
  readonly way: MailWay | undefined;
}

export interface Post {
  readonly templates: ReadonlyMap<string, MailTemplate>;
  /** The server from SMTP_URL, which administrators cannot change. */
  readonly fixed: MailServer | undefined;
  /** Returns the mail server; without one, mails are stored and held. */
  server(ctx: MailContext): Promise<MailServer | undefined>;
  /**
   * Returns `off` without a server and `failing` if the last attempt did not reach it. /ready reports this but stays
   * ready. During a database outage, the last known state is returned.
   */
  state(ctx: MailContext): Promise<'ok' | 'off' | 'failing'>;
  /**
   * Returns a sender by its id; undefined for an unknown or deleted one, whose mails are then sent from the
   * installation.
   */
  senderOf(ctx: MailContext, id: string | null): Promise<MailSender | undefined>;
  /** Returns why automatic mails to an address are not sent; undefined if they are. */
  stopped(ctx: MailContext, address: string): Promise<string | undefined>;
  /** Returns true if a sender's server just failed to respond, so that not every waiting mail tries it. */
  isAway(sender?: string): boolean;
  /** Returns why nothing can be sent. */
  problem(sender?: string): string;
  /** Sends a message. @throws ServerAway, MailRefused */
  deliver(ctx: MailContext, message: SmtpMessage, by?: Sending): Promise<void>;
  /** Connects to check whether the server accepts mail. */
  answers(ctx: MailContext, by?: Sending): Promise<boolean>;
  /**
   * Connects and signs in to a server that is not in use yet.
   * @throws ServerAway
   */
  attempt(server: MailServer): Promise<void>;
  brand(ctx: MailContext): Promise<MailBrand>;
  sender(ctx: MailContext): Promise<Mailbox>;
}

export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

export interface MailContext extends WorkContext {
  readonly log: Logger;
  record(activity: Activity): void;
  readonly app: {
    readonly config: MailConfig;
    readonly clock: Clock;
    readonly database: Database;
    readonly vault: Vault;
    readonly mail: Post;
    readonly storage: Pick<Storage, 'open'>;
    languageOf(ctx: Pick<WorkContext, 'db'>, person: { readonly address: string }): Promise<string | null>;
    wording(language: string | null): Wording;
  };
}
