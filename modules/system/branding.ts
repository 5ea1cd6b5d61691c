import type { Context } from '@keelson/core';
import { Branding, Colors, ColorShape, type ColorSet } from './settings.ts';

/** Names, pictures and colours a client shows before anybody has signed in (F-71). */
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

/** The tenant's colours as custom properties, with defaults for body, links and buttons (SY-03). */
export function brandingCss(colors: ColorSet): string {
  // Checked again here: what is written into a style sheet must be a colour whatever the database holds.
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
