// The provider's logo: uploaded, linked by the portal, mails and the widget, and embedded in documents.
import { invalid, notFound, type Context } from '@keelson/core';
import { Logo } from '../entities.ts';
import { Branding } from '../settings.ts';
import { readPicture, type UploadedPicture } from './picture.ts';

const MOST_KIB = 256;
const ADDRESS = '/helpdesk/api/v1/branding/logo';
/** Key of the single row. */
const ONLY = { logo_id: 1 } as const;

/** Returns the logo in base64; null if none was uploaded. */
export function readLogo(ctx: Context): Promise<Logo | null> {
  return ctx.db.findOneBy(Logo, ONLY);
}

/** Returns the logo as a file. @throws notFound() without one */
export async function logoFile(ctx: Context): Promise<{ type: string; body: Buffer }> {
  const logo = await readLogo(ctx);
  if (!logo) throw notFound('Logo');
  return { type: logo.content_type, body: Buffer.from(logo.image, 'base64') };
}

/** Replaces the logo. @throws Problem describing the error */
export async function replaceLogo(ctx: Context, files: readonly UploadedPicture[]): Promise<{ logo_url: string }> {
  const [file, ...more] = files;
  if (!file || more.length > 0) throw invalid('file must be a single image');
  const picture = await readPicture(ctx, file, MOST_KIB);
  return ctx.transaction(async (each) => {
    // Use a new URL because clients cache the image.
    const logo_url = `${ADDRESS}?v=${Date.parse(each.now).toString(36)}`;
    await each.app.settings.change(each, Branding, (known) => ({ ...known, logo_url }));
    await each.db.upsert(Logo, { ...ONLY, ...picture, created_at: each.now }, ['logo_id']);
    told(each, 'Logo changed');
    return { logo_url };
  });
}

/** Removes the logo; does nothing without one. */
export async function removeLogo(ctx: Context): Promise<void> {
  if (!(await ctx.db.findOne(Logo, { where: ONLY, lock: { mode: 'pessimistic_write' } }))) return;
  await ctx.db.delete(Logo, ONLY);
  await ctx.app.settings.change(ctx, Branding, (known) => ({ ...known, logo_url: '' }));
  told(ctx, 'Logo removed');
}

/** Returns the absolute URL of the logo, for use in mails and on other websites. */
export function absoluteLogo({ app }: Context, logo_url: string): string {
  return logo_url.startsWith('/') ? `${app.config.baseUrl}${logo_url}` : logo_url;
}

function told(ctx: Context, description: string): void {
  ctx.record({ action: 'update', entity_type: 'setting', entity_id: Branding.name, description });
}
