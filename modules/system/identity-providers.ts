import { z, type App } from '@keelson/core';

/** A button to sign in with, as a client draws it. */
export const IdentityProvider = z.object({ key: z.string(), name: z.string(), icon: z.string(), color: z.string() });

/** Those the documents name, and any other OpenID Connect provider that is configured. */
export const providerKeys = ['google', 'microsoft', 'okta', 'oidc'] as const;
export type ProviderKey = (typeof providerKeys)[number];

/** An OpenID Connect client, as far as it is configured. */
export interface ProviderSettings {
  readonly issuer: string | undefined;
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
}

/** What is configured of a provider. */
export function providerSettings({ config }: App, key: ProviderKey): ProviderSettings {
  switch (key) {
    case 'google':
      return {
        issuer: 'https://accounts.google.com',
        clientId: config.oauthGoogleClientId,
        clientSecret: config.oauthGoogleClientSecret,
      };
    case 'microsoft': {
      // Of one directory only: an address says nothing when anybody can make a directory that claims it (D11).
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

/** The providers people can sign in with: those that are configured completely. */
export function identityProviders(app: App): z.output<typeof IdentityProvider>[] {
  const enabled = providerKeys.filter((key) => Object.values(providerSettings(app, key)).every((each) => each));
  return enabled.map((key) => ({ key, ...looks(app)[key] }));
}

const looks = ({ config }: App) =>
  ({
    google: { name: 'Google', icon: 'google', color: '#4285f4' },
    microsoft: { name: 'Microsoft', icon: 'microsoft', color: '#0078d4' },
    okta: { name: 'Okta', icon: 'okta', color: '#007dc1' },
    oidc: { name: config.oauthOidcName, icon: 'openid', color: '#475569' },
  }) as const satisfies Record<ProviderKey, unknown>;
