// The mail server of a tenant, and whether it responds. SMTP_URL takes precedence over the administrators' setting.
import type { Logger } from 'pino';
import { plainBrand } from './compose.ts';
import type {
  MailConfig,
  Sending,
  MailSender,
  MailServer,
  MailWay,
  Post,
  Mailbox,
  MailContext,
} from './mail-context.ts';
import type { MailBrand } from './mail-page.ts';
import type { MailTemplate } from './mail-template.ts';
import { deliverBySmtp, ServerAway, smtpServer, tryServer, type SmtpServer } from './smtp.ts';

const AWAY_MS = 15_000;

/** The mail-related members of a plugin. */
export interface MailPlugin {
  readonly mailTemplates?: readonly MailTemplate[];
  mailBrand?(ctx: MailContext): Promise<MailBrand>;
  mailServer?(ctx: MailContext): Promise<MailServer | undefined>;
  mailSender?(ctx: MailContext, id: string): Promise<MailSender | undefined>;
  mailStop?(ctx: MailContext, address: string): Promise<string | undefined>;
}

/** Creates the mail service of a tenant. @param monotonic a clock in milliseconds */
export function createPost(
  config: MailConfig,
  plugins: readonly MailPlugin[],
  { log, monotonic }: { log: Logger; monotonic: () => number },
): Post {
  const { smtpUrl, mailFrom } = config;
  const fixed = smtpUrl === undefined ? undefined : { smtp: smtpServer(smtpUrl), from: mailboxOf(mailFrom ?? '') };
  const name = new URL(config.baseUrl).hostname;
  const brandOf = plugins.flatMap((plugin) => plugin.mailBrand ?? [])[0];
  const serverOf = plugins.flatMap((plugin) => plugin.mailServer ?? [])[0];
  const findSender = plugins.flatMap((plugin) => plugin.mailSender ?? [])[0];
  let known: MailServer | undefined = fixed;
  /** Servers that do not respond, by sender. */
  const away = new Map<string, Away>();

  const server = async (ctx: MailContext) => {
    known = fixed ?? (await serverOf?.(ctx));
    if (away.has(OURS) && away.get(OURS)?.of !== textOf(known)) away.delete(OURS);
    return known;
  };
  const ours = async (ctx: MailContext): Promise<{ of: string; way: MailWay }> => {
    const now = await server(ctx);
    if (!now) throw new ServerAway(NONE);
    const smtp: SmtpServer = { ...now.smtp, name };
    return { of: textOf(now), way: smtpWay(smtp) };
  };
  const reached = async (
    ctx: MailContext,
    by: Sending | undefined,
    work: (way: MailWay) => Promise<void>,
  ): Promise<void> => {
    const sender = by?.id ?? OURS;
    const { of, way } = by ? { of: '', way: by.way } : await ours(ctx);
    const before = away.has(sender);
    try {
      await work(way);
    } catch (error) {
      if (!(error instanceof ServerAway)) throw error;
      if (!before) log.warn({ err: error, sender }, 'mail: the server is not responding; mail is queued');
      away.set(sender, { since: monotonic(), why: error.message, of });
      throw error;
    }
    if (before) log.info({ sender }, 'mail: the server is responding again');
    away.delete(sender);
  };

  return {
    fixed,
    server,
    templates: new Map(plugins.flatMap((plugin) => plugin.mailTemplates ?? []).map((each) => [each.key, each])),
    async state(ctx) {
      // /ready reports the database outage itself.
      const now = await server(ctx).catch(() => known);
      return now ? (away.has(OURS) ? 'failing' : 'ok') : 'off';
    },
    senderOf: async (ctx, id) => (id === null ? undefined : findSender?.(ctx, id)),
    async stopped(ctx, address) {
      for (const each of plugins) {
        const why = await each.mailStop?.(ctx, address);
        if (why !== undefined) return why;
      }
      return undefined;
    },
    isAway: (sender = OURS) => monotonic() - (away.get(sender)?.since ?? -Infinity) < AWAY_MS,
    problem: (sender = OURS) => away.get(sender)?.why ?? NONE,
    deliver: (ctx, message, by) => reached(ctx, by, (way) => way.deliver(message)),
    attempt: ({ smtp }) => tryServer({ ...smtp, name }),
    answers: (ctx, by) =>
      reached(ctx, by, (way) => way.attempt()).then(
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

interface Away {
  readonly since: number;
  readonly why: string;
  readonly of: string;
}

/** The installation itself as a sender. */
const OURS = '';

const NONE = 'No mail server is configured';

/** Returns the SMTP transport of a server. */
export const smtpWay = (smtp: SmtpServer): MailWay => ({
  deliver: (message) => deliverBySmtp(smtp, message),
  attempt: () => tryServer(smtp),
});

const textOf = (server: MailServer | undefined): string => JSON.stringify(server?.smtp ?? null);

/** Parses `Acme IT <support@acme.example>`, or an address alone. */
function mailboxOf(text: string): Mailbox {
  const [, name = '', address = text] = /^(.*?)\s*<([^<>]+)>$/.exec(text) ?? [];
  return { name: name.replace(/^"|"$/g, ''), address };
}
