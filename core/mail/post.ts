// The mail server of a tenant: whether one is configured, and whether it answers.
import type { Config } from '../../config/config.ts';
import type { Logger } from 'pino';
import { plainBrand, type Mailbox } from './compose.ts';
import type { MailContext } from './mail-context.ts';
import type { MailBrand } from './mail-page.ts';
import type { MailTemplate } from './mail-template.ts';
import { deliverBySmtp, ServerAway, smtpServer, tryServer, type SmtpMessage } from './smtp.ts';

export interface Post {
  /** Whether SMTP_URL is set; without it mails are stored and held. */
  readonly configured: boolean;
  readonly templates: ReadonlyMap<string, MailTemplate>;
  /** `off` without a server, `failing` when the last attempt did not reach it. /ready shows it, but is ready anyway. */
  state(): 'ok' | 'off' | 'failing';
  /** Whether it did not answer a moment ago, so that not every waiting mail has to try. */
  isAway(): boolean;
  /** Why nothing can be sent. */
  problem(): string;
  /** @throws ServerAway, MailRefused */
  deliver(message: SmtpMessage): Promise<void>;
  /** Connects to check whether the server accepts mail. */
  answers(): Promise<boolean>;
  brand(ctx: MailContext): Promise<MailBrand>;
  sender(ctx: MailContext): Promise<Mailbox>;
}

const AWAY_MS = 15_000;

/** The part of a plugin that is about mails. */
export interface MailPlugin {
  readonly mailTemplates?: readonly MailTemplate[];
  mailBrand?(ctx: MailContext): Promise<MailBrand>;
}

/** @param monotonic a clock in milliseconds */
export function createPost(
  config: Config,
  plugins: readonly MailPlugin[],
  { log, monotonic }: { log: Logger; monotonic: () => number },
): Post {
  const { smtpUrl, mailFrom } = config;
  const from = mailboxOf(mailFrom ?? '');
  const server = smtpUrl === undefined ? undefined : smtpServer(smtpUrl, new URL(config.baseUrl).hostname);
  const brandOf = plugins.flatMap((plugin) => plugin.mailBrand ?? [])[0];
  let away: { readonly since: number; readonly why: string } | undefined;

  const reached = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ServerAway)) throw error;
      if (!away) log.warn({ err: error }, 'mail: the server does not answer; mails wait for it');
      away = { since: monotonic(), why: error.message };
      throw error;
    }
    if (away) log.info('mail: the server answers again');
    away = undefined;
  };
  const present = () => {
    if (!server) throw new ServerAway('No mail server is set (SMTP_URL)');
    return server;
  };

  return {
    configured: server !== undefined,
    templates: new Map(plugins.flatMap((plugin) => plugin.mailTemplates ?? []).map((each) => [each.key, each])),
    state: () => (server ? (away ? 'failing' : 'ok') : 'off'),
    isAway: () => away !== undefined && monotonic() - away.since < AWAY_MS,
    problem: () => away?.why ?? 'No mail server is set (SMTP_URL)',
    deliver: (message) => reached(() => deliverBySmtp(present(), message)),
    answers: () =>
      reached(() => tryServer(present())).then(
        () => true,
        (error: unknown) => {
          if (error instanceof ServerAway) return false;
          throw error;
        },
      ),
    brand: async (ctx) => (await brandOf?.(ctx)) ?? plainBrand(config.tenantName),
    async sender(ctx) {
      return { address: from.address, name: from.name || (await this.brand(ctx)).company_name };
    },
  };
}

/** `Acme IT <support@acme.example>`, or only the address. */
function mailboxOf(text: string): Mailbox {
  const [, name = '', address = text] = /^(.*?)\s*<([^<>]+)>$/.exec(text) ?? [];
  return { name: name.replace(/^"|"$/g, ''), address };
}
