// The mail server of a tenant, and whether it responds. SMTP_URL takes precedence over the administrators' setting.
import type { Config } from '../../config/config.ts';
import type { Logger } from 'pino';
import { plainBrand, type Mailbox } from './compose.ts';
import type { MailContext } from './mail-context.ts';
import type { MailBrand } from './mail-page.ts';
import type { MailTemplate } from './mail-template.ts';
import { deliverBySmtp, ServerAway, smtpServer, tryServer, type SmtpMessage, type SmtpServer } from './smtp.ts';

/** A mail server and the sender of mails. */
export interface MailServer {
  readonly smtp: Omit<SmtpServer, 'name'>;
  /** An empty name stands for the provider's name. */
  readonly from: Mailbox;
}

export interface Post {
  readonly templates: ReadonlyMap<string, MailTemplate>;
  /** The server of SMTP_URL; administrators cannot change it. */
  readonly fixed: MailServer | undefined;
  /** Returns the server for mails; without one they are stored and held. */
  server(ctx: MailContext): Promise<MailServer | undefined>;
  /**
   * Returns `off` without a server, `failing` when the last attempt did not reach it. /ready reports it but stays
   * ready. During a database outage it is the last known state.
   */
  state(ctx: MailContext): Promise<'ok' | 'off' | 'failing'>;
  /** Whether the server did not respond a moment ago, so that not every waiting mail tries it. */
  isAway(): boolean;
  /** Returns why nothing can be sent. */
  problem(): string;
  /** Sends a message. @throws ServerAway, MailRefused */
  deliver(ctx: MailContext, message: SmtpMessage): Promise<void>;
  /** Connects to check whether the server accepts mail. */
  answers(ctx: MailContext): Promise<boolean>;
  /** Connects and signs in to a server that is not in use yet. @throws ServerAway */
  attempt(server: MailServer): Promise<void>;
  brand(ctx: MailContext): Promise<MailBrand>;
  sender(ctx: MailContext): Promise<Mailbox>;
}

const AWAY_MS = 15_000;

/** The mail-related members of a plugin. */
export interface MailPlugin {
  readonly mailTemplates?: readonly MailTemplate[];
  mailBrand?(ctx: MailContext): Promise<MailBrand>;
  mailServer?(ctx: MailContext): Promise<MailServer | undefined>;
}

/** Creates the mail service of a tenant. @param monotonic a clock in milliseconds */
export function createPost(
  config: Config,
  plugins: readonly MailPlugin[],
  { log, monotonic }: { log: Logger; monotonic: () => number },
): Post {
  const { smtpUrl, mailFrom } = config;
  const fixed = smtpUrl === undefined ? undefined : { smtp: smtpServer(smtpUrl), from: mailboxOf(mailFrom ?? '') };
  const name = new URL(config.baseUrl).hostname;
  const brandOf = plugins.flatMap((plugin) => plugin.mailBrand ?? [])[0];
  const serverOf = plugins.flatMap((plugin) => plugin.mailServer ?? [])[0];
  let known: MailServer | undefined = fixed;
  let away: { readonly since: number; readonly why: string; readonly of: string } | undefined;

  const server = async (ctx: MailContext) => {
    known = fixed ?? (await serverOf?.(ctx));
    if (away && away.of !== textOf(known)) away = undefined;
    return known;
  };
  const reached = async (ctx: MailContext, work: (smtp: SmtpServer) => Promise<void>): Promise<void> => {
    const now = await server(ctx);
    if (!now) throw new ServerAway(NONE);
    try {
      await work({ ...now.smtp, name });
    } catch (error) {
      if (!(error instanceof ServerAway)) throw error;
      if (!away) log.warn({ err: error }, 'mail: the server does not answer; mails wait for it');
      away = { since: monotonic(), why: error.message, of: textOf(now) };
      throw error;
    }
    if (away) log.info('mail: the server answers again');
    away = undefined;
  };

  return {
    fixed,
    server,
    templates: new Map(plugins.flatMap((plugin) => plugin.mailTemplates ?? []).map((each) => [each.key, each])),
    async state(ctx) {
      // /ready reports the database outage itself.
      const now = await server(ctx).catch(() => known);
      return now ? (away ? 'failing' : 'ok') : 'off';
    },
    isAway: () => away !== undefined && monotonic() - away.since < AWAY_MS,
    problem: () => away?.why ?? NONE,
    deliver: (ctx, message) => reached(ctx, (smtp) => deliverBySmtp(smtp, message)),
    attempt: ({ smtp }) => tryServer({ ...smtp, name }),
    answers: (ctx) =>
      reached(ctx, tryServer).then(
        () => true,
        (error: unknown) => {
          if (error instanceof ServerAway) return false;
          throw error;
        },
      ),
    brand: async (ctx) => (await brandOf?.(ctx)) ?? plainBrand(config.tenantName),
    async sender(ctx) {
      const { address, name: own } = (await server(ctx))?.from ?? { address: '', name: '' };
      return { address, name: own || (await this.brand(ctx)).company_name };
    },
  };
}

const NONE = 'No mail server is set';

const textOf = (server: MailServer | undefined): string => JSON.stringify(server?.smtp ?? null);

/** Parses `Acme IT <support@acme.example>`, or an address alone. */
function mailboxOf(text: string): Mailbox {
  const [, name = '', address = text] = /^(.*?)\s*<([^<>]+)>$/.exec(text) ?? [];
  return { name: name.replace(/^"|"$/g, ''), address };
}
