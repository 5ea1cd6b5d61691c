// QR codes of the pages that the server renders itself.
import type { Html } from '../kit/html.ts';

/** What is used of the package, which has no types of its own. */
interface QrCode {
  toString(text: string, options: { type: 'svg'; margin: number; errorCorrectionLevel: 'M' }): Promise<string>;
}

/** A picture of `text` to join into a page: SVG, which needs no image and no script. */
export async function qrCode(text: string): Promise<Html> {
  const { default: qrcode }: { default: QrCode } = await import('qrcode' as string);
  return { text: await qrcode.toString(text, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' }) };
}
