// Identity providers for customers and staff: those in the environment and those set by administrators.
import { conflict, invalid, z, type App, type Context } from '@keelson/core';
import { changesBetween } from '@keelson/core/log';
import {
  audiences,
  noProvider,
  providerKeys,
  StoredProviders,
  type Audience,
  type ProviderKey,
  type StoredProvider,
} from './settings.ts';

/** Sign-in button as clients display it. */
export const IdentityProvider = z.object({ key: z.string(), name: z.string(), icon: z.string(), color: z.string() });

/** Settings of an OpenID Connect client; missing ones are undefined. */
export interface ProviderSettings {
  readonly issuer: string | undefined;
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
}

/**
 * Who may sign in with a provider. Its administrators could assert any address, so it must be restricted to specific
 * ones.
 */
export interface ProviderBounds {
  /** Email domains; `*` for all. */
  readonly domains: readonly string[];
  readonly companies: readonly number[];
  /**
   * Whether the provider's claim to an address is sufficient: it belongs to no customer and verifies address ownership.
   */
  readonly proves: boolean;
}

interface FixedProvider {
  /** For Microsoft, the directory (tenant) id. */
  readonly issuer: string | undefined;
  readonly client_id: string | undefined;
  readonly client_secret: string | undefined;
  readonly domains: readonly string[];
  readonly companies: readonly number[];
  readonly audience: Audience;
}

export const ProviderShape = z.object({
  key: z.enum(providerKeys),
  name: z.string(),
  /** `environment` means OAUTH_…, which takes precedence and cannot be changed in the console. */
  source: z.enum(['environment', 'console', 'none']),
  /** Whether people can sign in with it. */
  enabled: z.boolean(),
  /** The issuer URL; for Microsoft, the directory id; empty for Google. */
  issuer: z.string(),
  client_id: z.string(),
  has_secret: z.boolean(),
  domains: z.array(z.string()),
  companies: z.array(z.int()),
  audience: z.enum(audiences),
});

/** Settings from an administrator; without `client_secret`, the stored one is kept. */
export type GivenProvider = Omit<StoredProvider, 'client_secret'> & { readonly client_secret?: string | undefined };

const sealedFor = (key: ProviderKey): string => `identity provider ${key}`;

export async function providerSettings(ctx: Context, key: ProviderKey): Promise<ProviderSettings> {
  const fixed = fixedProvider(ctx.app, key);
  if (fixed)
    return { issuer: issuerOf(key, fixed.issuer), clientId: fixed.client_id, clientSecret: fixed.client_secret };
  const stored = await storedProvider(ctx, key);
  if (stored.client_id === '')
    return { issuer: issuerOf(key, undefined), clientId: undefined, clientSecret: undefined };
  if (!hasSecret(ctx.app, stored))
    return { issuer: issuerOf(key, stored.issuer), clientId: stored.client_id, clientSecret: undefined };
  return openedSettings(ctx.app, key, stored);
}

/** Returns false also if the master key that sealed the secret was given up. */
const hasSecret = ({ vault }: App, { client_secret }: Pick<StoredProvider, 'client_secret'>): boolean =>
  vault.knows(client_secret);

/** Returns the settings of a stored provider, with its secret. */
export function openedSettings({ vault }: App, key: ProviderKey, stored: StoredProvider) {
  const { client_id, client_secret } = stored;
  const issuer = issuerOf(key, stored.issuer) ?? '';
  return { issuer, clientId: client_id, clientSecret: vault.open(client_secret, sealedFor(key)) };
}

export async function providerBounds(ctx: Context, key: ProviderKey): Promise<ProviderBounds> {
  const { domains, companies } = fixedProvider(ctx.app, key) ?? (await storedProvider(ctx, key));
  const proves = key === 'google' || key === 'microsoft';
  return { domains: domains.map((each) => each.toLowerCase()), companies, proves };
}

/** Returns true if a provider is offered to customers, or to staff. */
export async function isOffered(ctx: Context, key: ProviderKey, to: 'employee' | 'technician'): Promise<boolean> {
  const { audience } = fixedProvider(ctx.app, key) ?? (await storedProvider(ctx, key));
  return audience === 'everyone' || audience === (to === 'technician' ? 'staff' : 'customers');
}

/** Returns the fully configured providers that customers, or staff, can sign in with. */
export async function identityProviders(
  ctx: Context,
  to: 'employee' | 'technician' = 'employee',
): Promise<z.output<typeof IdentityProvider>[]> {
  const all: z.output<typeof IdentityProvider>[] = [];
  for (const key of providerKeys)
    if (isComplete(await providerSettings(ctx, key)) && (await isOffered(ctx, key, to)))
      all.push({ key, ...appearances[key], name: await nameOf(ctx, key) });
  return all;
}

/** Returns every provider that can be set up, without secrets. */
export async function readProviders(ctx: Context): Promise<z.output<typeof ProviderShape>[]> {
  const all: z.output<typeof ProviderShape>[] = [];
  for (const key of providerKeys) all.push(await readProvider(ctx, key));
  return all;
}

export async function readProvider(ctx: Context, key: ProviderKey): Promise<z.output<typeof ProviderShape>> {
  const fixed = fixedProvider(ctx.app, key);
  const { issuer = '', client_id = '', client_secret = '', ...bounds } = fixed ?? (await storedProvider(ctx, key));
  return {
    key,
    name: await nameOf(ctx, key),
    source: fixed ? 'environment' : client_id === '' ? 'none' : 'console',
    enabled: isComplete(await providerSettings(ctx, key)),
    issuer,
    client_id,
    has_secret: fixed ? client_secret !== '' : hasSecret(ctx.app, { client_secret }),
    domains: [...bounds.domains],
    companies: [...bounds.companies],
    audience: bounds.audience,
  };
}

/**
 * Returns the values to store for the given settings.
 * @throws conflict() if the environment defines the provider; invalid() if a new client lacks its secret
 */
export async function wantedProvider(ctx: Context, key: ProviderKey, given: GivenProvider): Promise<StoredProvider> {
  checkOurs(ctx.app, key);
  const { client_secret, ...wanted } = given;
  if (client_secret !== undefined)
    return { ...wanted, client_secret: ctx.app.vault.seal(client_secret, sealedFor(key)) };
  const before = await storedProvider(ctx, key);
  // The secret is never sent to another provider.
  if (!hasSecret(ctx.app, before) || before.issuer !== wanted.issuer || before.client_id !== wanted.client_id)
    throw invalid('client_secret is required for a new client');
  return { ...wanted, client_secret: before.client_secret };
}

/**
 * Stores a provider, or removes it.
 * @throws conflict() if the environment defines it
 */
export async function storeProvider(ctx: Context, key: ProviderKey, wanted: StoredProvider | null): Promise<void> {
  checkOurs(ctx.app, key);
  const { before, after } = await ctx.app.settings.change(ctx, StoredProviders, (known) =>
    wanted ? { ...known, [key]: wanted } : Object.fromEntries(Object.entries(known).filter(([each]) => each !== key)),
  );
  const changes = changesBetween(before[key] ?? noProvider, after[key] ?? noProvider, ['client_secret']);
  if (Object.keys(changes).length === 0) return;
  const { name } = appearances[key];
  const description = wanted ? `Identity provider ${name} set` : `Identity provider ${name} removed`;
  ctx.record({ action: 'update', entity_type: 'setting', entity_id: StoredProviders.name, description, changes });
}

const appearances = {
  google: { name: 'Google', icon: 'google', color: '#4285f4' },
  microsoft: { name: 'Microsoft', icon: 'microsoft', color: '#0078d4' },
  okta: { name: 'Okta', icon: 'okta', color: '#007dc1' },
  oidc: { name: 'OpenID Connect', icon: 'openid', color: '#475569' },
} as const satisfies Record<ProviderKey, unknown>;

async function nameOf(ctx: Context, key: ProviderKey): Promise<string> {
  if (key !== 'oidc') return appearances[key].name;
  if (fixedProvider(ctx.app, key)) return ctx.app.config.oauthOidcName;
  return (await storedProvider(ctx, key)).name || ctx.app.config.oauthOidcName;
}

async function storedProvider(ctx: Context, key: ProviderKey): Promise<StoredProvider> {
  return (await ctx.app.settings.get(ctx, StoredProviders))[key] ?? noProvider;
}

const isComplete = (settings: ProviderSettings): boolean => Object.values(settings).every(Boolean);

function issuerOf(key: ProviderKey, given: string | undefined): string | undefined {
  if (key === 'google') return 'https://accounts.google.com';
  // Allow a single directory only, because anyone can create a directory that claims another person's address (SF-11).
  if (key === 'microsoft') return given && `https://login.microsoftonline.com/${given.toLowerCase()}/v2.0`;
  return given;
}

function checkOurs(app: App, key: ProviderKey): void {
  if (fixedProvider(app, key))
    throw conflict('This identity provider is set by OAUTH_… in the environment: change it there');
}

/** Returns a provider's settings in the environment; undefined if there are none. */
function fixedProvider({ config }: App, key: ProviderKey): FixedProvider | undefined {
  const of = (
    [issuer, client_id, client_secret]: readonly (string | undefined)[],
    domains: readonly string[],
    companies: readonly string[],
    audience: Audience,
  ): FixedProvider | undefined => {
    const any = [issuer, client_id, client_secret].some(Boolean) || domains.length + companies.length > 0;
    return any ? { issuer, client_id, client_secret, domains, companies: companies.map(Number), audience } : undefined;
  };
  switch (key) {
    case 'google':
      return of(
        [undefined, config.oauthGoogleClientId, config.oauthGoogleClientSecret],
        config.oauthGoogleDomains,
        config.oauthGoogleCompanies,
        config.oauthGoogleAudience,
      );
    case 'microsoft':
      return of(
        [config.oauthMicrosoftTenantId, config.oauthMicrosoftClientId, config.oauthMicrosoftClientSecret],
        config.oauthMicrosoftDomains,
        config.oauthMicrosoftCompanies,
        config.oauthMicrosoftAudience,
      );
    case 'okta':
      return of(
        [config.oauthOktaIssuer, config.oauthOktaClientId, config.oauthOktaClientSecret],
        config.oauthOktaDomains,
        config.oauthOktaCompanies,
        config.oauthOktaAudience,
      );
    case 'oidc':
      return of(
        [config.oauthOidcIssuer, config.oauthOidcClientId, config.oauthOidcClientSecret],
        config.oauthOidcDomains,
        config.oauthOidcCompanies,
        config.oauthOidcAudience,
      );
  }
}
