// The type of a file from its first bytes; what its sender says about it is not believed.
import { isUtf8 } from 'node:buffer';

const UNKNOWN = 'application/octet-stream';
/** Archives are recognised here: the library would unpack a part of them to tell a document from an archive. */
const ARCHIVES: readonly (readonly [string, string])[] = [
  ['504b0304', 'application/zip'],
  ['504b0506', 'application/zip'],
  ['1f8b', 'application/gzip'],
];
/** Types whose files browsers and programs show without running anything in them. All else is bytes. */
const SHOWN = /^(?:image\/(?!svg)|audio\/|video\/|application\/(?:pdf|vnd\.|x-7z|x-rar|x-tar|x-bzip2|x-xz|rtf$))/;

/** `image/png`, `application/pdf`, `text/plain` for anything that reads as text, such as HTML and SVG; else bytes. */
export async function fileTypeOf(head: Buffer): Promise<string> {
  const start = head.toString('hex', 0, 4);
  const archive = ARCHIVES.find(([signature]) => start.startsWith(signature));
  if (archive) return archive[1];
  // Loaded with the first upload, because most processes never get one.
  const { fileTypeFromBuffer } = await import('file-type');
  // What looks like a known type and is broken is none.
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (found) return SHOWN.test(found.mime) ? found.mime : plainOr(head, UNKNOWN);
  return plainOr(head, UNKNOWN);
}

function plainOr(head: Buffer, otherwise: string): string {
  return head.length > 0 && isText(head) ? 'text/plain' : otherwise;
}

// The last character may be cut off at the end of what was read.
function isText(head: Buffer): boolean {
  if (head.includes(0)) return false;
  return [0, 1, 2, 3].some((cut) => isUtf8(head.subarray(0, head.length - cut)));
}
