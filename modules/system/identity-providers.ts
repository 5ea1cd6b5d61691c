import { z, type App } from '@keelson/core';

/** Sign-in button as clients display it. */
export const IdentityProvider = z.object({ key: z.string(), name: z.string(), icon: z.string(), color: z.string() });

/** The documented providers, and `oidc` for any other OpenID Connect provider. */
export const providerKeys = ['google', 'microsoft', 'okta', 'oidc'] as const;
export type ProviderKey = (typeof providerKeys)[number];

/** Settings of an OpenID Connect client; missing ones are undefined. */
export interface ProviderSettings {
  readonly issuer: string | undefined;
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
}

export function providerSettings({ config }: App, key: ProviderKey): ProviderSettings {
  switch (key) {
    case 'google':
      return {
        issuer: 'https://accounts.google.com',
        clientId: config.oauthGoogleClientId,
        clientSecret: config.oauthGoogleClientSecret,
      };
    case 'microsoft': {
      // Allow a single directory only, because anyone can create a directory that claims another person's address
      // (SF-11).
      const { oauthMicrosoftTenantId: directory } = config;
      return {
        issuer: directory && `https://login.microsoftonline.com/${directory.toLowerCase()}/v2.0`,
        clientId: config.oauthMicrosoftClientId,
        clientSecret: config.oauthMicrosoftClientSecret,
      };
    }
    case 'okta':
      return {
        issuer: config.oauthOktaIssuer,
        clientId: config.oauthOktaClientId,
        clientSecret: config.oauthOktaClientSecret,
      };
    case 'oidc':
      return {
        issuer: config.oauthOidcIssuer,
        clientId: config.oauthOidcClientId,
        clientSecret: config.oauthOidcClientSecret,
      };
  }
}

/** Returns the fully configured providers, which people can sign in with. */
export function identityProviders(app: App): z.output<typeof IdentityProvider>[] {
  const enabled = providerKeys.filter((key) => Object.values(providerSettings(app, key)).every((each) => each));
  return enabled.map((key) => ({ key, ...appearance(app)[key] }));
}

const appearance = ({ config }: App) =>
  ({
    google: { name: 'Google', icon: 'google', color: '#4285f4' },
    microsoft: { name: 'Microsoft', icon: 'microsoft', color: '#0078d4' },
    okta: { name: 'Okta', icon: 'okta', color: '#007dc1' },
    oidc: { name: config.oauthOidcName, icon: 'openid', color: '#475569' },
  }) as const satisfies Record<ProviderKey, unknown>;

/** Whom a provider may sign in. Its administrators could assert any address, so it must be bound to specific ones. */
export interface ProviderBounds {
  /** Mail domains; `*` for all. */
  readonly domains: readonly string[];
  readonly companies: readonly number[];
  /** The provider's claim to an address suffices: it is no customer's own and verifies address ownership. */
  readonly proves: boolean;
}

export function providerBounds({ config }: App, key: ProviderKey): ProviderBounds {
  const of = (domains: readonly string[], companies: readonly string[], proves: boolean): ProviderBounds => ({
    domains: domains.map((each) => each.toLowerCase()),
    companies: companies.map(Number),
    proves,
  });
  switch (key) {
    case 'google':
      return of(config.oauthGoogleDomains, config.oauthGoogleCompanies, true);
    case 'microsoft':
      return of(config.oauthMicrosoftDomains, config.oauthMicrosoftCompanies, true);
    case 'okta':
      return of(config.oauthOktaDomains, config.oauthOktaCompanies, false);
    case 'oidc':
      return of(config.oauthOidcDomains, config.oauthOidcCompanies, false);
  }
}
