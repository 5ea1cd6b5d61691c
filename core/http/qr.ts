// QR codes of the pages that the server renders itself.
import type { Html } from './html.ts';

/** A picture of `text` to join into a page: SVG, which needs no image and no script. */
export async function qrCode(text: string): Promise<Html> {
  const { default: qrcode } = await import('qrcode');
  return { text: await qrcode.toString(text, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' }) };
}
