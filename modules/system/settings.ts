import { setting, z } from '@keelson/core';

const color = z.string().regex(/^#[0-9a-f]{6}$/);

/** The tenant's colours (F-68), used in branding.css and the chat widget. */
export const ColorShape = z.object({
  primary_color: color,
  secondary_color: color,
  accent_color: color,
  background_color: color,
  text_color: color,
  link_color: color,
});
export type ColorSet = z.output<typeof ColorShape>;

export const Colors = setting('branding.colors', ColorShape, {
  primary_color: '#1e3a5f',
  secondary_color: '#475569',
  accent_color: '#2563eb',
  background_color: '#ffffff',
  text_color: '#0f172a',
  link_color: '#1d4ed8',
});

/** An empty name falls back to the configured tenant name; an empty URL means no image. */
export const Branding = setting(
  'branding.identity',
  z.object({ company_name: z.string(), logo_url: z.string(), favicon_url: z.string() }),
  { company_name: '', logo_url: '', favicon_url: '' },
);

/** Encryption of the mail server connection: implicit TLS or STARTTLS. */
export const securities = ['tls', 'starttls'] as const;

/** Mail server as administrators see it. */
export const MailServerFields = z.object({
  host: z.string(),
  port: z.int(),
  security: z.enum(securities),
  /** Empty for a server without authentication. */
  username: z.string(),
  from_address: z.string(),
  /** Empty for the provider's name. */
  from_name: z.string(),
});

/** Includes the sealed password. */
const Kept = MailServerFields.extend({ password: z.string() });

export const noMailServer: z.infer<typeof Kept> = {
  host: '',
  port: 0,
  security: 'starttls',
  username: '',
  from_address: '',
  from_name: '',
  password: '',
};

/** The host is empty until set. */
export const StoredMailServer = setting('mail.server', Kept, noMailServer);

/** The documented providers, and `oidc` for any other OpenID Connect provider. */
export const providerKeys = ['google', 'microsoft', 'okta', 'oidc'] as const;
export type ProviderKey = (typeof providerKeys)[number];

/** Who is offered a provider. */
export const audiences = ['customers', 'staff', 'everyone'] as const;
export type Audience = (typeof audiences)[number];

const KeptProvider = z.object({
  /** The issuer URL; for Microsoft, the directory id; empty for Google. */
  issuer: z.string(),
  client_id: z.string(),
  /** Sealed. */
  client_secret: z.string(),
  /** The button label, for `oidc`. */
  name: z.string(),
  domains: z.array(z.string()),
  companies: z.array(z.int()),
  audience: z.enum(audiences).default('customers'),
});
export type StoredProvider = z.output<typeof KeptProvider>;

export const noProvider: StoredProvider = {
  issuer: '',
  client_id: '',
  client_secret: '',
  name: '',
  domains: [],
  companies: [],
  audience: 'customers',
};

/** The identity providers set in the console. */
export const StoredProviders = setting(
  'system.identity_providers',
  z.partialRecord(z.enum(providerKeys), KeptProvider),
  {},
);
