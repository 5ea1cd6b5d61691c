// Uploaded images for documents, validated before they are stored: a broken one would make every later document fail,
// and a small one may decompress to gigabytes.
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { invalid, Problem, type Context } from '@keelson/core';
import { pdfPaper } from '@keelson/core/files';
import { tooLarge } from '@keelson/core/kit';

/** An uploaded file. */
export interface UploadedPicture {
  readonly path: string;
  readonly size: number;
}

/** An image that documents can display. */
interface Picture {
  readonly content_type: 'image/png' | 'image/jpeg';
  /** In base64. */
  readonly image: string;
  /** In bytes. */
  readonly size: number;
}

const MOST_PIXELS = 2000 * 2000;
/** Maximum raw size of a PNG with that many pixels: four 16-bit channels, plus one byte per line. */
const MOST_UNPACKED = MOST_PIXELS * 9;
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const JPEG = Buffer.from('ffd8ff', 'hex');

const unpack = promisify(inflate);

/**
 * Reads an uploaded image: a PNG of at most 2,000 × 2,000 pixels, or a JPEG. Draws it once as a check.
 * @param most in KiB
 * @throws invalid() naming the problem; tooLarge(); tooMany() when too many documents are being made
 */
export async function readPicture(ctx: Context, { path, size }: UploadedPicture, most: number): Promise<Picture> {
  if (size > most * 1024) throw tooLarge(`The image must be at most ${most} KiB`);
  const bytes = await readFile(path);
  const png = bytes.subarray(0, PNG.length).equals(PNG);
  if (!png && !bytes.subarray(0, JPEG.length).equals(JPEG)) throw invalid('file must be a PNG or JPEG image');
  if (png) await checkUnpacked(bytes);
  const image = bytes.toString('base64');
  await drawn(ctx, image);
  return { content_type: png ? 'image/png' : 'image/jpeg', image, size };
}

async function checkUnpacked(png: Buffer): Promise<void> {
  const packed: Buffer[] = [];
  for (let at = PNG.length; at + 8 <= png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') packed.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const pixels = png.length < 24 ? 0 : png.readUInt32BE(16) * png.readUInt32BE(20);
  const fits = pixels > 0 && pixels <= MOST_PIXELS;
  const whole =
    fits && (await unpack(Buffer.concat(packed), { maxOutputLength: MOST_UNPACKED }).catch(() => undefined));
  if (!whole) throw invalid('file must be an image of at most 2,000 × 2,000 pixels');
}

async function drawn(ctx: Context, logo: string): Promise<void> {
  const nothing = { from: '', colour: '#000000', to: { label: '', lines: [] }, facts: [], columns: [], rows: [] };
  try {
    await pdfPaper(ctx, { ...nothing, title: 'Picture', logo, sums: [], notes: '' });
  } catch (error) {
    if (error instanceof Problem) throw error;
    ctx.log.info({ err: error }, 'could not draw an image');
    throw invalid('file must be a valid image');
  }
}
