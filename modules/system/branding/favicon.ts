// Favicon of the installation: the provider's logo, or the first letter of its name.
import type { Context } from '@keelson/core';
import { html } from '@keelson/core/kit';
import { ColorShape } from '../settings.ts';
import { readBranding } from './branding.ts';
import { readLogo } from './logo.ts';

export const FAVICON_TYPES = ['image/svg+xml', 'image/png', 'image/jpeg'] as const;

export async function readFavicon(ctx: Context): Promise<{ type: string; body: string | Buffer }> {
  const logo = await readLogo(ctx);
  if (logo) return { type: logo.content_type, body: Buffer.from(logo.image, 'base64') };
  const { company_name, colors } = await readBranding(ctx);
  const { primary_color, background_color } = ColorShape.parse(colors);
  const [letter = ''] = company_name.trim();
  const { text } = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
    <rect width="32" height="32" rx="7" fill="${primary_color}" />
    <text
      x="16"
      y="23"
      font-family="sans-serif"
      font-size="20"
      font-weight="700"
      text-anchor="middle"
      fill="${background_color}"
    >
      ${letter.toUpperCase()}
    </text>
  </svg>`;
  return { type: 'image/svg+xml', body: text };
}
