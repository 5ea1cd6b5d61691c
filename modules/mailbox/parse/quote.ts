// Removal of quoted text from mails.

/** The lines that mail programs put above a quoted mail. */
const MESSAGE =
  /^-{2,} ?(?:Original Message|Ursprüngliche Nachricht|Message d['’]origine|Mensaje original|Messaggio originale|Oorspronkelijk bericht|Mensagem original|Ursprungligt meddelande|Oprindelig meddelelse|Opprinnelig melding|Alkuperäinen viesti|Wiadomość oryginalna|Původní zpráva|Pôvodná správa|Eredeti üzenet|Mesaj original|Исходное сообщение|Original(?:e|er) Nachricht|元のメッセージ|原始邮件|邮件原件|.{3,200} wrote:) ?-{2,}$/i;
const RULE = /^_{20,}$/;
/** Zoho Mail, in any language: `---- On … Support <a@b.example> wrote ----`. */
const ZOHO = /^-{4} (?=.*(?:@|\b20\d\d\b)).{10,300} -{3,4}$/;
/** GroupWise: `>>> Support <a@b.example> 25.11.2026 10:00 >>>`. */
const GROUPWISE = /^>>> (?=.*\d[.:]\d\d)(?:.{6,300} >>>|.{10,400}:)$/;
const ATTRIBUTION =
  /^(?:On|Am|Le|El|Il|Op|Em|Den|Dnia|W dniu|Dne|Dňa) .{4,200}(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev|napisał|pisze|napsal|napísal)[^:]{0,100}:$/i;
/** An attribution in any language, recognised by an address or a year, and followed by quoted lines. */
const ATTRIBUTED = /^(?=.*(?:@|\b20\d\d\b|\d年)).{6,300}[:：]$/;

/** Header lines above a quotation; a `From:` line counts only with `Sent:` or `Subject:` nearby. */
export const FROM =
  /^\*?(?:From|Von|De|Da|Van|Från|Fra|Od|Lähettäjä|Feladó|De la|Kimden|Από|От|Від|Saatja|Nuo|No|Expeditor|מאת|من|差出人|发件人|寄件者|보낸 사람)\*?[  ]?[:：].+$/;
export const HEADER =
  /^\*?(?:Sent|Date|To|Subject|Gesendet|Datum|An|Betreff|Envoyé|À|Objet|Enviado(?: el)?|Enviada(?: em)?|Para|Asunto|Assunto|Inviato|A|Oggetto|Verzonden|Aan|Onderwerp|Skickat|Till|Ämne|Sendt|Til|Emne|Wysłano|Do|Temat|Odesláno|Komu|Předmět|Odoslané|Predmet|Lähetetty|Vastaanottaja|Aihe|Elküldve|Címzett|Tárgy|Trimis|Către|Subiect|Στάλθηκε|Προς|Θέμα|Gönderildi|Kime|Konu|Отправлено|Надіслано|Кому|Тема|Poslano|Za|Zadeva|Prima|Predmet|Изпратено|До|Относно|Saadetud|Adressaat|Teema|Išsiųsta|Kam|Nosūtīts|Tēma|Enviat el|Per a|Assumpte|נשלח|אל|נושא|تم الإرسال|إلى|الموضوع|送信日時|宛先|件名|发送时间|收件人|主题|寄件日期|收件者|主旨|보낸 날짜|받는 사람|제목)\*?[  ]?[:：]/i;

/** The line above a forwarded mail, whose content is kept. */
export const FORWARDED =
  /^(?:-{2,} ?(?:Forwarded message|Weitergeleitete Nachricht|Message transféré|Mensaje reenviado|Messaggio inoltrato|Doorgestuurd bericht|Mensagem encaminhada|Vidarebefordrat meddelande|Videresendt (?:besked|melding)|Przekazana wiadomość) ?-{2,}|(?:Begin forwarded message|Anfang der weitergeleiteten (?:Nachricht|E-Mail)|Début du message (?:transféré|réexpédié)|Inicio del mensaje reenviado|Inizio messaggio inoltrato|Begin doorgestuurd bericht) ?:)$/im;
export const FORWARD = /^\s*(?:fwd?|wg|tr|rv|i|enc|doorst|vb|vs|vl|pd|i̇?lt|転送|转发|轉寄)\s*:/i;

/** The line in our mails above which to reply, in any language. */
const REPLY_LINE = /^\W*##- .{3,120} -##\W*$/u;
/** Whether a text quotes one of our mails. */
export const hasReplyLine = (text: string): boolean => text.split('\n').some((line) => REPLY_LINE.test(line));

/**
 * Returns the text above the quotation; the whole text if there is nothing above it, or if the mail is a forward.
 * @param hasFiles whether the mail may consist of files alone: then nothing above the quotation is no text
 */
export function withoutQuote(text: string, subject = '', hasFiles = false): string {
  if (FORWARD.test(subject) || FORWARDED.test(text)) return text.trim();
  // French puts a no-break space before a colon.
  const all = text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\u00a0\u202f]/g, ' ')
    .split('\n');
  const ours = all.findIndex((line) => REPLY_LINE.test(line));
  const lines = all.filter((line) => !REPLY_LINE.test(line));
  const border = lines.findIndex((line, at) => isBorder(lines, line.trim(), at));
  // Answers between the quoted lines make no sense without them.
  if (border >= 0 && isAnsweredWithin(lines.slice(border + 1))) return withoutTail(lines.join('\n')).trim();
  const isOurs = ours >= 0 && (border < 0 || ours <= border);
  if (isOurs && isAnsweredWithin(lines.slice(ours))) return withoutTail(lines.join('\n')).trim();
  const above = isOurs ? withoutIntroduction(all.slice(0, ours)) : lines.slice(0, border < 0 ? lines.length : border);
  const own = withoutTail(above.join('\n')).trim();
  if (own !== '') return own;
  const isQuoted =
    ours >= 0 || lines.slice(Math.max(0, border)).every((line, at) => at < MOST_INTRODUCING || !isOwn(line));
  return hasFiles && isQuoted ? '' : lines.join('\n').trim();
}

/** Maximum lines of what a mail program writes above a mail that it quotes. */
const MOST_INTRODUCING = 3;

/** Returns the lines above our own line without what introduces the quoted mail: a last paragraph that ends in a colon. */
function withoutIntroduction(above: readonly string[]): readonly string[] {
  const lines = withoutTail(above.join('\n')).split('\n');
  if (!/[:：]\s*$/.test(lines.at(-1) ?? '')) return lines;
  const start = lines.findLastIndex((line) => line.trim() === '') + 1;
  return lines.length - start <= MOST_INTRODUCING ? lines.slice(0, start) : lines;
}

const QUOTED = /^\s*>/;
/** Whether the author of a mail wrote a line. */
const isOwn = (line: string): boolean => line.trim() !== '' && !QUOTED.test(line);
/** A quoted line of at least this length may have been wrapped. */
const WRAPPED = 60;

/** Returns true if the lines below an attribution are quoted, and the author wrote between or below them. */
function isAnsweredWithin(below: readonly string[]): boolean {
  const quoted = below.findIndex((line) => QUOTED.test(line));
  if (quoted < 0 || below.slice(0, quoted).some((line, at) => at > 1 && line.trim() !== '')) return false;
  const signature = below.findIndex((line) => /^-- ?$/.test(line));
  const rest = below.slice(quoted, signature < quoted ? undefined : signature);
  return rest.some((line, at) => {
    if (line.trim() === '' || QUOTED.test(line)) return false;
    const before = rest[at - 1] ?? '';
    return !(QUOTED.test(before) && before.length >= WRAPPED);
  });
}

function isBorder(lines: readonly string[], line: string, at: number): boolean {
  // An attribution may wrap onto a second and a third line.
  const both = `${line} ${(lines[at + 1] ?? '').trim()}`;
  const all = `${both} ${(lines[at + 2] ?? '').trim()}`;
  if (MESSAGE.test(line) || GROUPWISE.test(line)) return true;
  if ([line, both, all].some((each) => ATTRIBUTION.test(each) || ZOHO.test(each))) return true;
  if (
    ATTRIBUTED.test(line) &&
    lines
      .slice(at + 1, at + 4)
      .find((each) => each.trim() !== '')
      ?.startsWith('>')
  )
    return true;
  const next = lines.slice(at + 1, at + 5).map((each) => each.trim());
  // Some programs write the date above the sender.
  if (HEADER.test(line) && FROM.test(next[0] ?? '')) return next.slice(1).some((each) => HEADER.test(each));
  return (RULE.test(line) || FROM.test(line)) && (next.some((each) => HEADER.test(each)) || FROM.test(next[0] ?? ''));
}

/** Removes trailing quoted and empty lines. */
function withoutTail(text: string): string {
  const lines = text.split('\n');
  let end = lines.length;
  while (end > 0 && /^\s*(?:>.*)?$/.test(lines[end - 1] ?? '')) end--;
  return lines.slice(0, end).join('\n');
}
