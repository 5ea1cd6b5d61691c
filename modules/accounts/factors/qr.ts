// QR codes for server-rendered pages.
import type { Html } from '@keelson/core/kit';

/** The part of the untyped package in use. */
interface QrCode {
  toString(text: string, options: { type: 'svg'; margin: number; errorCorrectionLevel: 'M' }): Promise<string>;
}

/** Returns a QR code of `text` as inline SVG. */
export async function qrCode(text: string): Promise<Html> {
  const { default: qrcode }: { default: QrCode } = await import('qrcode' as string);
  return { text: await qrcode.toString(text, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' }) };
}
