// Detects the type of a file from its first bytes; the sender's claim is ignored.
import { isUtf8 } from 'node:buffer';

const UNKNOWN = 'application/octet-stream';
/** Archives are detected here: the library would unpack part of them to tell a document from an archive. */
const ARCHIVES: readonly (readonly [string, string])[] = [
  ['504b0304', 'application/zip'],
  ['504b0506', 'application/zip'],
  ['1f8b', 'application/gzip'],
];
/** Types that browsers and programs display without running anything in them. All others count as bytes. */
const SHOWN = /^(?:image\/(?!svg)|audio\/|video\/|application\/(?:pdf|vnd\.|x-7z|x-rar|x-tar|x-bzip2|x-xz|rtf$))/;

/**
 * Returns `image/png`, `application/pdf`, `text/plain` for anything that reads as text, such as HTML and SVG; otherwise
 * bytes.
 */
export async function fileTypeOf(head: Buffer): Promise<string> {
  const start = head.toString('hex', 0, 4);
  const archive = ARCHIVES.find(([signature]) => start.startsWith(signature));
  if (archive) return archive[1];
  // Load it with the first upload, because most processes never get one.
  const { fileTypeFromBuffer } = await import('file-type');
  // A broken file of a known type counts as unknown.
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (found) return SHOWN.test(found.mime) ? found.mime : plainOr(head, UNKNOWN);
  return plainOr(head, UNKNOWN);
}

function plainOr(head: Buffer, otherwise: string): string {
  return head.length > 0 && isText(head) ? 'text/plain' : otherwise;
}

// A character may be cut off at the end of the bytes read.
function isText(head: Buffer): boolean {
  if (head.includes(0)) return false;
  return [0, 1, 2, 3].some((cut) => isUtf8(head.subarray(0, head.length - cut)));
}
