import { changeSetting, type Context } from '@keelson/core';
import { Branding, Colors, ColorShape, type ColorSet } from '../settings.ts';
import { absoluteLogo } from './logo.ts';

/** Returns the name, images and colours that clients show before sign-in (F-71). */
export async function readBranding(ctx: Context) {
  const { settings, config } = ctx.app;
  const identity = await settings.get(ctx, Branding);
  return {
    company_name: identity.company_name || config.tenantName,
    logo_url: identity.logo_url,
    favicon_url: identity.favicon_url,
    colors: await settings.get(ctx, Colors),
  };
}

/** Returns the name and colours for mails. */
export async function readMailBrand(ctx: Context) {
  const { company_name, logo_url, colors } = await readBranding(ctx);
  return { company_name, logo_url: absoluteLogo(ctx, logo_url), ...colors };
}

/** Changes the provider's name. Returns the stored settings. */
export async function rename(ctx: Context, wanted: { readonly company_name?: string | undefined }) {
  await changeSetting(ctx, Branding, {
    next: (known) => ({ ...known, company_name: wanted.company_name ?? known.company_name }),
    description: 'Name changed',
  });
  return readBranding(ctx);
}

/** Changes the given colours (ST-07). Returns all of them. */
export async function changeColors(
  ctx: Context,
  wanted: Readonly<Partial<Record<keyof ColorSet, string | undefined>>>,
) {
  const given = Object.fromEntries(Object.entries(wanted).filter(([, color]) => color !== undefined));
  return changeSetting(ctx, Colors, { next: (known) => ({ ...known, ...given }), description: 'Colours changed' });
}

/** Renders the tenant's colours as custom properties, with defaults for body, links and buttons (SY-03). */
export function brandingCss(colors: ColorSet): string {
  // Validate again, so that only colours reach the style sheet, whatever the database contains.
  const safe = ColorShape.parse(colors);
  const properties = Object.entries(safe).map(([name, value]) => `  --${name.replaceAll('_', '-')}: ${value};`);
  return `:root {
${properties.join('\n')}
}
body {
  background-color: var(--background-color);
  color: var(--text-color);
}
a {
  color: var(--link-color);
}
button,
.button {
  background-color: var(--primary-color);
  color: var(--background-color);
}
`;
}
