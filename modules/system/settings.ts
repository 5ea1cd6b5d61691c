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
