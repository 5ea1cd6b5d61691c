// Removal of quoted text from mails.

/** Lines that mail programs put above a quoted mail. */
const BORDERS: readonly RegExp[] = [
  /^-{2,} ?(?:Original Message|Ursprüngliche Nachricht|Message d'origine|Mensaje original|Messaggio originale) ?-{2,}$/i,
  /^_{20,}$/,
  /^(?:On|Am|Le|El|Il|Op|Em|Den|Dnia) .{4,200}(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev|napisał)[^:]{0,100}:$/i,
  /^(?:From|Von|De|Da|Van|Från|Fra): .+$/,
];

/** Header lines above a quotation: a `From:` line counts only with `Sent:` or `Subject:` nearby. */
const HEADER =
  /^(?:Sent|Date|To|Subject|Gesendet|Datum|An|Betreff|Envoyé|À|Objet|Enviado|Para|Asunto|Inviato|A|Oggetto|Verzonden|Aan|Onderwerp): ?/i;

/** Returns the text above the quotation; the whole text if nothing is above it. */
export function withoutQuote(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const border = lines.findIndex((line, at) => isBorder(lines, line.trim(), at));
  const above = (border < 0 ? lines : lines.slice(0, border)).join('\n');
  const own = withoutTail(above).trim();
  return own === '' ? text.trim() : own;
}

function isBorder(lines: readonly string[], line: string, at: number): boolean {
  // An attribution may wrap onto a second line.
  const both = `${line} ${(lines[at + 1] ?? '').trim()}`;
  const [message, rule, attribution, from] = BORDERS;
  if (message?.test(line) || attribution?.test(line) || attribution?.test(both)) return true;
  const headers = lines.slice(at + 1, at + 5).some((each) => HEADER.test(each.trim()));
  return (
    (rule?.test(line) === true || from?.test(line) === true) &&
    (headers || /^(?:From|Von|De|Da): /.test((lines[at + 1] ?? '').trim()))
  );
}

/** Removes trailing quoted and empty lines. */
function withoutTail(text: string): string {
  const lines = text.split('\n');
  let end = lines.length;
  while (end > 0 && /^\s*(?:>.*)?$/.test(lines[end - 1] ?? '')) end--;
  return lines.slice(0, end).join('\n');
}
