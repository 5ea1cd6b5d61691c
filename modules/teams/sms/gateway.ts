// The SMS gateway: any HTTP service that takes a number and a text in one POST request.
import { changeSetting, conflict, invalid, z, type Context } from '@keelson/core';
import { explained, messageOf } from '@keelson/core/kit';
import { keptSecret } from '@keelson/core/security';
import { contentTypes, noGateway, StoredGateway } from '../settings.ts';

type Stored = z.infer<typeof StoredGateway.shape>;

export const GatewayShape = z.object({
  url: z.string().nullable(),
  content_type: z.enum(contentTypes).nullable(),
  body: z.string().nullable(),
  has_authorization: z.boolean(),
});

/** Settings from an administrator. If `authorization` is absent, the stored one is kept; null removes it. */
export interface GivenGateway extends Pick<Stored, 'url' | 'content_type' | 'body'> {
  readonly authorization?: string | null | undefined;
}

const CONTEXT = 'sms gateway';
const TIMEOUT_MS = 10_000;
const TEST_TEXT = 'This is a test message from your service desk.';

/** Returns the gateway without its secret. */
export async function readGateway(ctx: Context): Promise<z.output<typeof GatewayShape>> {
  const { url, content_type, body, authorization } = await ctx.app.settings.get(ctx, StoredGateway);
  if (url === '') return { url: null, content_type: null, body: null, has_authorization: false };
  return { url, content_type, body, has_authorization: authorization !== '' };
}

/** Returns true if an SMS gateway is set up. */
export const hasGateway = async (ctx: Context): Promise<boolean> =>
  (await ctx.app.settings.get(ctx, StoredGateway)).url !== '';

/** Stores the gateway. @throws invalid() naming the field */
export async function changeGateway(ctx: Context, { authorization, ...given }: GivenGateway): Promise<void> {
  const problem = ctx.app.egress.check(given.url);
  if (problem !== undefined) throw invalid(`url: ${problem}`);
  checkBody(given);
  const before = await ctx.app.settings.get(ctx, StoredGateway);
  await store(ctx, { ...given, authorization: authorizationFor(ctx, before, given, authorization) });
}

function checkBody({ content_type, body }: GivenGateway): void {
  for (const each of ['number', 'text'])
    if (!fieldPattern(each).test(body)) throw invalid(`body must contain {{ ${each} }}`);
  if (content_type !== 'json') return;
  try {
    JSON.parse(filled({ content_type, body }, { number: '+15550100', text: '"Test"' }));
  } catch {
    throw invalid('body must be JSON in which {{ number }} and {{ text }} stand between quotation marks');
  }
}

function authorizationFor(
  { app }: Context,
  before: Stored,
  { url }: GivenGateway,
  given: string | null | undefined,
): string {
  if (given === null) return '';
  if (given !== undefined) return app.vault.seal(given, CONTEXT);
  const kept = keptSecret(before.authorization, before.url, url);
  if (kept === undefined) throw invalid('authorization is required when the host changes');
  return kept;
}

/** Removes the gateway; steps no longer send text messages. */
export const removeGateway = (ctx: Context): Promise<void> => store(ctx, noGateway);

async function store(ctx: Context, wanted: Stored): Promise<void> {
  await changeSetting(ctx, StoredGateway, {
    next: () => wanted,
    description: wanted.url === '' ? 'SMS gateway removed' : 'SMS gateway changed',
    secretFields: ['authorization'],
  });
}

export interface TextMessage {
  /** In international format: `+4930123456`. */
  readonly number: string;
  readonly text: string;
}

/** Sends a text message. @throws Error with the reason if the gateway rejects it */
export async function sendText(ctx: Context, message: TextMessage): Promise<void> {
  const { app } = ctx;
  const stored = await app.settings.get(ctx, StoredGateway);
  if (stored.url === '') throw conflict('No SMS gateway is set');
  const { url, content_type, authorization } = stored;
  const { status } = await app.egress.request(url, {
    method: 'POST',
    headers: {
      'content-type': content_type === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
      ...(authorization !== '' && { authorization: app.vault.open(authorization, CONTEXT) }),
    },
    body: filled(stored, message),
    timeoutMs: TIMEOUT_MS,
  });
  if (status < 200 || status > 299) throw new Error(explained(`The SMS gateway responded with ${status}`));
}

/**
 * Sends a test message.
 * @throws invalid() with the reason if the gateway rejects it
 */
export async function sendTestText(ctx: Context, number: string): Promise<void> {
  if (!(await hasGateway(ctx))) throw conflict('No SMS gateway is set');
  await sendText(ctx, { number, text: TEST_TEXT }).catch((err: unknown) => {
    ctx.log.info({ err }, 'The SMS gateway failed its test');
    throw invalid(`The message was not sent: ${messageOf(err)}`);
  });
}

const fieldPattern = (name: string) => new RegExp(`\\{\\{\\s*${name}\\s*\\}\\}`, 'g');

function filled({ content_type, body }: Pick<Stored, 'content_type' | 'body'>, values: TextMessage): string {
  const encoded = (value: string) =>
    content_type === 'json' ? JSON.stringify(value).slice(1, -1) : encodeURIComponent(value);
  return body.replace(/\{\{\s*(number|text)\s*\}\}/g, (_, name: keyof TextMessage) => encoded(values[name]));
}
