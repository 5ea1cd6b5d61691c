import { invalid, perApp, z, type App, type Context } from '@keelson/core';
import { unavailable } from '@keelson/core/kit';
import { isOffered, providerKeys, providerSettings, type ProviderKey } from '@keelson/modules/system';
import { seal } from '../factors/sealed.ts';
import { newOidcAttempt, oidcProvider, OidcRefused, OidcUnreachable, type OidcProvider } from './oidc.ts';
import { requireNext, requireRedirect } from './redirect.ts';

// The first half of a sign-in with an identity provider. The secrets are sealed in a cookie instead of
// stored, so that only the same browser can finish it.

export const CALLBACK = '/helpdesk/auth/oauth/callback';
export const ATTEMPT = 'sign-in with a provider';

/** The content of the sealed cookie. */
export const Attempt = z.object({
  kind: z.enum(['employee', 'technician']),
  provider: z.enum(providerKeys),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirect_uri: z.string(),
});

export interface BegunOauth {
  readonly provider: ProviderKey;
  readonly authorization_url: string;
  readonly state: string;
  /** The cookie's value. */
  readonly sealed: string;
}

interface OauthAsked {
  readonly provider: string;
  readonly redirect_uri?: string | undefined;
  /** A page of this host, regardless of the configured portal. */
  readonly next?: string | undefined;
}

/**
 * Starts an employee's sign-in with a provider.
 * @throws invalid() when the provider is not configured or the return URL is not allowed; unavailable() when it does
 * not respond, or not as an OpenID Connect provider
 */
export async function beginOauth(ctx: Context, { provider, redirect_uri, next }: OauthAsked): Promise<BegunOauth> {
  const key = await requireConfigured(ctx, provider);
  if (!(await isOffered(ctx, key, 'employee'))) throw invalid(`provider ${key} is not configured for customers`);
  const { config } = ctx.app;
  const target = next === undefined ? requireRedirect(config, redirect_uri) : requireNext(config, next);
  return begin(ctx, 'employee', key, target);
}

/**
 * Starts a technician's sign-in with a provider; `next` is the page of the console to return to.
 * @throws invalid() when the provider is not configured for staff; unavailable() when it does not respond
 */
export async function beginStaffOauth(
  ctx: Context,
  { provider, next }: { readonly provider: string; readonly next: string },
): Promise<BegunOauth> {
  const key = await requireConfigured(ctx, provider);
  if (!(await isOffered(ctx, key, 'technician'))) throw invalid(`provider ${key} is not configured for staff`);
  return begin(ctx, 'technician', key, next);
}

async function begin(
  ctx: Context,
  kind: z.output<typeof Attempt>['kind'],
  provider: ProviderKey,
  target: string,
): Promise<BegunOauth> {
  const attempt = newOidcAttempt();
  const request = (await clientOf(ctx, provider)).authorizationUrl(attempt);
  const authorization_url = await request.catch((error: unknown) => {
    if (!(error instanceof OidcRefused || error instanceof OidcUnreachable)) throw error;
    ctx.log.warn({ err: error, provider }, 'the identity provider cannot be used');
    throw unavailable('The identity provider is not responding: try again later');
  });
  const sealed = seal(ctx, ATTEMPT, { kind, provider, ...attempt, redirect_uri: target });
  return { provider, authorization_url, state: attempt.state, sealed };
}

/** Returns the client of a configured provider. */
export async function clientOf(ctx: Context, key: ProviderKey): Promise<OidcProvider> {
  const { issuer, clientId, clientSecret } = await providerSettings(ctx, key);
  if (!issuer || !clientId || !clientSecret) throw new Error(`The identity provider ${key} is not configured`);
  const client = { issuer, clientId, clientSecret, redirectUri: redirectUriOf(ctx.app) };
  const settings = JSON.stringify(client);
  const known = clients(ctx.app).get(key);
  if (known?.settings === settings) return known.client;
  const made = { settings, client: oidcProvider(ctx.app.egress, client) };
  clients(ctx.app).set(key, made);
  return made.client;
}

/** The redirect URI to register with a provider. */
export const redirectUriOf = ({ config }: App): string => config.baseUrl + CALLBACK;

/** Cached while the settings stay the same, because each client caches its provider's metadata. */
const clients = perApp(() => new Map<ProviderKey, { readonly settings: string; readonly client: OidcProvider }>());

/**
 * Requires complete settings.
 * @throws invalid() naming the missing ones (A-20, E-11)
 */
async function requireConfigured(ctx: Context, provider: string): Promise<ProviderKey> {
  const key = providerKeys.find((each) => each === provider.toLowerCase());
  if (!key) throw invalid(`provider must be one of ${providerKeys.join(', ')}`);
  const missing = Object.entries(await providerSettings(ctx, key)).filter(([, value]) => !value);
  if (missing.length === 0) return key;
  throw invalid(
    `provider ${key} is not configured: ${missing.map(([name]) => settingNames.get(name) ?? name).join(', ')} missing`,
  );
}

const settingNames: ReadonlyMap<string, string> = new Map([
  ['issuer', 'issuer'],
  ['clientId', 'client id'],
  ['clientSecret', 'client secret'],
]);
