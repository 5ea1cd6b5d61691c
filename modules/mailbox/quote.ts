// Removal of quoted text from mails.

/** Lines that mail programs put above a quoted mail. */
const MESSAGE =
  /^-{2,} ?(?:Original Message|Ursprüngliche Nachricht|Message d'origine|Mensaje original|Messaggio originale) ?-{2,}$/i;
const RULE = /^_{20,}$/;
const ATTRIBUTION =
  /^(?:On|Am|Le|El|Il|Op|Em|Den|Dnia) .{4,200}(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev|napisał)[^:]{0,100}:$/i;
/** An attribution in any language, if quoted lines follow: it names an address or a year. */
const ATTRIBUTED = /^(?=.*(?:@|\b20\d\d\b|\d年)).{6,300}[:：]$/;

/** Header lines above a quotation: a `From:` line counts only with `Sent:` or `Subject:` nearby. */
const FROM = /^\*?(?:From|Von|De|Da|Van|Från|Fra|Od|Lähettäjä|Kimden|От|差出人|发件人|寄件者)\*?[  ]?[:：].+$/;
const HEADER =
  /^\*?(?:Sent|Date|To|Subject|Gesendet|Datum|An|Betreff|Envoyé|À|Objet|Enviado(?: el)?|Enviada(?: em)?|Para|Asunto|Assunto|Inviato|A|Oggetto|Verzonden|Aan|Onderwerp|Skickat|Till|Ämne|Sendt|Til|Emne|Wysłano|Do|Temat|Odesláno|Komu|Předmět|Lähetetty|Vastaanottaja|Aihe|Gönderildi|Kime|Konu|Отправлено|Кому|Тема|送信日時|宛先|件名|发送时间|收件人|主题)\*?[  ]?[:：]/i;

/** The line above a forwarded mail, whose content must be kept. */
const FORWARDED =
  /^-{2,} ?(?:Forwarded message|Weitergeleitete Nachricht|Message transféré|Mensaje reenviado) ?-{2,}$/im;
const FORWARD = /^\s*(?:fwd?|wg|tr|rv|i|enc|doorst|vb|vs|pd|転送|转发)\s*:/i;

/** Returns the text above the quotation; the whole text if nothing is above it, or if the mail forwards another one. */
export function withoutQuote(text: string, subject = ''): string {
  if (FORWARD.test(subject) || FORWARDED.test(text)) return text.trim();
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const border = lines.findIndex((line, at) => isBorder(lines, line.trim(), at));
  const above = (border < 0 ? lines : lines.slice(0, border)).join('\n');
  const own = withoutTail(above).trim();
  return own === '' ? text.trim() : own;
}

function isBorder(lines: readonly string[], line: string, at: number): boolean {
  // An attribution may wrap onto a second line.
  const both = `${line} ${(lines[at + 1] ?? '').trim()}`;
  if (MESSAGE.test(line) || ATTRIBUTION.test(line) || ATTRIBUTION.test(both)) return true;
  if (
    ATTRIBUTED.test(line) &&
    lines
      .slice(at + 1, at + 4)
      .find((each) => each.trim() !== '')
      ?.startsWith('>')
  )
    return true;
  const next = lines.slice(at + 1, at + 5).map((each) => each.trim());
  return (RULE.test(line) || FROM.test(line)) && (next.some((each) => HEADER.test(each)) || FROM.test(next[0] ?? ''));
}

/** Removes trailing quoted and empty lines. */
function withoutTail(text: string): string {
  const lines = text.split('\n');
  let end = lines.length;
  while (end > 0 && /^\s*(?:>.*)?$/.test(lines[end - 1] ?? '')) end--;
  return lines.slice(0, end).join('\n');
}
