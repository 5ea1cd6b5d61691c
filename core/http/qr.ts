// QR codes of the pages that the server renders itself.
import type { Html } from '../kit/html.ts';

/** The part of the package that is used; it has no types of its own. */
interface QrCode {
  toString(text: string, options: { type: 'svg'; margin: number; errorCorrectionLevel: 'M' }): Promise<string>;
}

/** A QR code of `text` as inline SVG for a page. */
export async function qrCode(text: string): Promise<Html> {
  const { default: qrcode }: { default: QrCode } = await import('qrcode' as string);
  return { text: await qrcode.toString(text, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' }) };
}
