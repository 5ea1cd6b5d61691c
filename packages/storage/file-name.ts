// Sanitises the name of an uploaded file: it is shown to people and offered to their file systems, and never used as a
// path here.

const LONGEST = 200;
/** Control and formatting characters, which are invisible or reverse the following text (`exe.gpj` read backwards). */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;
/** Characters that some file system rejects or treats as part of a path. */
const FORBIDDEN = /[<>:"/\\|?*]/g;
/** Names that mean devices on Windows, whatever their extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?=\.|$)/i;

/**
 * Returns a name without path, control and direction characters, of at most 200 characters; `file` when nothing is
 * left.
 */
export function cleanName(given: string): string {
  const last = given.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const visible = last
    // Joins the parts of an emoji; elsewhere it has no effect.
    .replace(INVISIBLE, (each) => (each === '\u200d' ? each : ''))
    .replace(FORBIDDEN, '_')
    .replace(/\s+/gu, ' ');
  const trimmed = visible.replace(/^[\s.\u200d]+|[\s.\u200d]+$/gu, '');
  const named = DEVICE.test(trimmed) ? `_${trimmed}` : trimmed;
  return named === '' ? 'file' : shortened(named);
}

/** Truncates the part before the extension. */
function shortened(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= LONGEST) return name;
  const [extension = ''] = /\.[^.\s]{1,15}$/u.exec(name) ?? [];
  const room = LONGEST - Array.from(extension).length;
  return (
    characters
      .slice(0, room)
      .join('')
      .replace(/[\s.\u200d]+$/u, '') + extension
  );
}

/** Returns the header that offers a file for download under its name (RFC 6266, RFC 8187), never inline. */
export function contentDisposition(name: string): string {
  const plain = name.replace(/[^\w.-]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
