// A corpus of mails in the forms that mail programs really write, and what is read from each.
import {
  base64,
  composed,
  encoded,
  file,
  html,
  mailOf,
  multipart,
  picture,
  plain,
  utf8,
  winmail,
  word,
  type Given,
  type Headers,
  type Part,
} from './_mail-forms.ts';

export interface Sample {
  readonly title: string;
  readonly mail: (given: Given) => Buffer;
  readonly wanted: {
    readonly state: 'ticket' | 'comment' | 'note' | 'ignored' | 'review';
    /** What is read from the mail; by default the usual values below. */
    readonly subject?: string;
    readonly from_name?: string;
    /** By default that of the contact. */
    readonly from_address?: string;
    readonly text: string;
    readonly files?: readonly string[];
  };
}

export const SUBJECT = 'Printer on fire';
export const NAME = 'Erin Example';
const SUPPORT = 'Support <support@provider.example>';
const OWN = 'It is out.';
const QUOTED = '> Is it still burning?\n>\n> Your support';

// Replies.

const answers = (headers: Headers = {}) => ({ Subject: `Re: ${SUBJECT}`, ...headers });
/** A reply to our mail, by default without the quotation. */
function reply(title: string, part: Part | string, text = OWN): Sample {
  const body = typeof part === 'string' ? plain(part) : part;
  return {
    title: `reply: ${title}`,
    mail: (given) => composed(given, body, answers({ 'In-Reply-To': given.ours })),
    wanted: { state: 'comment', subject: `Re: ${SUBJECT}`, text },
  };
}

/** The header lines that Outlook writes above a quotation. */
const outlook = [
  ['English', 'From:', 'Sent:', 'To:', 'Subject:'],
  ['German', 'Von:', 'Gesendet:', 'An:', 'Betreff:'],
  ['French', 'De :', 'Envoyé :', 'À :', 'Objet :'],
  ['Spanish', 'De:', 'Enviado el:', 'Para:', 'Asunto:'],
  ['Italian', 'Da:', 'Inviato:', 'A:', 'Oggetto:'],
  ['Dutch', 'Van:', 'Verzonden:', 'Aan:', 'Onderwerp:'],
  ['Portuguese', 'De:', 'Enviado:', 'Para:', 'Assunto:'],
  ['Danish', 'Fra:', 'Sendt:', 'Til:', 'Emne:'],
  ['Finnish', 'Lähettäjä:', 'Lähetetty:', 'Vastaanottaja:', 'Aihe:'],
  ['Czech', 'Od:', 'Odesláno:', 'Komu:', 'Předmět:'],
  ['Hungarian', 'Feladó:', 'Elküldve:', 'Címzett:', 'Tárgy:'],
  ['Romanian', 'De la:', 'Trimis:', 'Către:', 'Subiect:'],
  ['Greek', 'Από:', 'Στάλθηκε:', 'Προς:', 'Θέμα:'],
  ['Turkish', 'Kimden:', 'Gönderildi:', 'Kime:', 'Konu:'],
  ['Russian', 'От:', 'Отправлено:', 'Кому:', 'Тема:'],
  ['Ukrainian', 'Від:', 'Надіслано:', 'Кому:', 'Тема:'],
  ['Chinese', '发件人:', '发送时间:', '收件人:', '主题:'],
  ['Chinese of Taiwan', '寄件者:', '寄件日期:', '收件者:', '主旨:'],
  ['Korean', '보낸 사람:', '보낸 날짜:', '받는 사람:', '제목:'],
] as const;

const outlookHtml = ([language, from, sent, to, subject]: (typeof outlook)[number]): Sample =>
  reply(
    `Outlook, HTML, ${language}`,
    html(`<html><body lang="X"><div class="WordSection1"><p class="MsoNormal">It is out.<o:p></o:p></p><p class="MsoNormal">&nbsp;</p>
<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal"><b>${from}</b> Support
&lt;support@provider.example&gt; <br><b>${sent}</b> 25.11.2026 10:00<br><b>${to}</b> Erin<br><b>${subject}</b> Printer</p></div></div>
<p>Is it still burning?</p></div></body></html>`),
  );

const onTheWeb = ([language, from, sent, to, subject]: (typeof outlook)[number]): Sample =>
  reply(
    `Outlook on the web, ${language}`,
    html(`<div style="font-size:12pt">It is out.</div><div id="appendonsend"></div><hr style="display:inline-block;width:98%">
<div id="divRplyFwdMsg" dir="ltr"><font><b>${from}</b> Support &lt;support@provider.example&gt;<br><b>${sent}</b> 25.11.2026 10:00<br>
<b>${to}</b> Erin<br><b>${subject}</b> Printer</font><div>&nbsp;</div></div><div>Is it still burning?</div>`),
  );

/** The line above a quotation, as several programs write it. */
const attributions = [
  ['Gmail, English', `On Wed, Nov 25, 2026 at 10:00 AM ${SUPPORT} wrote:`],
  ['Gmail, German', `Am Mi., 25. Nov. 2026 um 10:00 Uhr schrieb ${SUPPORT}:`],
  ['Gmail, French', `Le mer. 25 nov. 2026 à 10:00, ${SUPPORT} a écrit :`],
  ['Gmail, Spanish', `El mié, 25 nov 2026 a las 10:00, ${SUPPORT} escribió:`],
  ['Gmail, Italian', `Il giorno mer 25 nov 2026 alle ore 10:00 ${SUPPORT} ha scritto:`],
  ['Gmail, Dutch', `Op wo 25 nov 2026 om 10:00 schreef ${SUPPORT}:`],
  ['Gmail, Portuguese', `Em qua., 25 de nov. de 2026 às 10:00, ${SUPPORT} escreveu:`],
  ['Gmail, Danish', `Den ons. 25. nov. 2026 kl. 10.00 skrev ${SUPPORT}:`],
  ['Gmail, Norwegian', `ons. 25. nov. 2026 kl. 10:00 skrev ${SUPPORT}:`],
  ['Gmail, Finnish', `ke 25. marrask. 2026 klo 10.00 ${SUPPORT} kirjoitti:`],
  ['Gmail, Polish', `śr., 25 lis 2026 o 10:00 ${SUPPORT} napisał(a):`],
  ['Gmail, Czech', `st 25. 11. 2026 v 10:00 odesílatel ${SUPPORT} napsal:`],
  ['Gmail, Hungarian', `Support <support@provider.example> ezt írta (időpont: 2026. nov. 25., Sze, 10:00):`],
  ['Gmail, Romanian', `mie., 25 nov. 2026 la 10:00, ${SUPPORT} a scris:`],
  ['Gmail, Turkish', `Support <support@provider.example>, 25 Kas 2026 Çar, 10:00 tarihinde şunu yazdı:`],
  ['Gmail, Russian', `ср, 25 нояб. 2026 г. в 10:00, ${SUPPORT}:`],
  ['Gmail, Japanese', `2026年11月25日(水) 10:00 ${SUPPORT}:`],
  ['Gmail, Chinese', `Support <support@provider.example> 于2026年11月25日周三 10:00写道：`],
  ['Gmail, Korean', `2026년 11월 25일 (수) 오전 10:00, ${SUPPORT}님이 작성:`],
  ['Apple Mail, English', `On 25. Nov 2026, at 10:00, ${SUPPORT} wrote:`],
  ['Apple Mail, German', `Am 25.11.2026 um 10:00 schrieb ${SUPPORT}:`],
  ['Apple Mail, French', `Le 25 nov. 2026 à 10:00, ${SUPPORT} a écrit :`],
  ['Apple Mail, Spanish', `El 25 nov 2026, a las 10:00, ${SUPPORT} escribió:`],
  ['Apple Mail, Italian', `Il giorno 25 nov 2026, alle ore 10:00, ${SUPPORT} ha scritto:`],
  ['Apple Mail, Dutch', `Op 25 nov. 2026, om 10:00 heeft ${SUPPORT} het volgende geschreven:`],
  ['Apple Mail, Swedish', `25 nov. 2026 kl. 10:00 skrev ${SUPPORT}:`],
  ['Thunderbird, English', 'On 25/11/2026 10:00, Support wrote:'],
  ['Thunderbird, German', 'Am 25.11.26 um 10:00 schrieb Support:'],
  ['Thunderbird, French', 'Le 25/11/2026 à 10:00, Support a écrit :'],
  ['Thunderbird, Spanish', 'El 25/11/26 a las 10:00, Support escribió:'],
  ['Thunderbird, Italian', 'Il 25/11/2026 10:00, Support ha scritto:'],
  ['Thunderbird, Dutch', 'Op 25-11-2026 om 10:00 schreef Support:'],
  ['Thunderbird, Portuguese', 'Em 25/11/2026 10:00, Support escreveu:'],
  ['Thunderbird, Swedish', 'Den 2026-11-25 kl. 10:00, skrev Support:'],
  ['Thunderbird, Polish', 'W dniu 25.11.2026 o 10:00, Support pisze:'],
  ['Thunderbird, Czech', 'Dne 25. 11. 26 v 10:00 Support napsal(a):'],
  ['Thunderbird, Japanese', 'On 2026/11/25 10:00, Support wrote:'],
  ['K-9 Mail, German', `Am 25. November 2026 10:00:00 MEZ schrieb ${SUPPORT}:`],
  ['KMail', 'On Wednesday, 25 November 2026 10:00:00 CET Support wrote:'],
  ['Mutt', 'On Wed, Nov 25, 2026 at 10:00:00AM +0000, Support wrote:'],
  ['Roundcube, German', 'Am 2026-11-25 10:00, schrieb Support:'],
  ['Evolution', 'On Wed, 2026-11-25 at 10:00 +0000, Support wrote:'],
  ['Yahoo', `On Wednesday, November 25, 2026 at 10:00:00 AM GMT, ${SUPPORT} wrote:`],
  ['Horde', `Quoting ${SUPPORT}:`],
  ['Horde, German', `Zitat von ${SUPPORT}:`],
] as const;

/** Lines above a quotation that is not marked with `>`. */
const borders = [
  ['Outlook 2003, English', '-----Original Message-----'],
  ['Outlook 2003, German', '-----Ursprüngliche Nachricht-----'],
  ['Outlook 2003, French', '-----Message d’origine-----'],
  ['Outlook 2003, Spanish', '-----Mensaje original-----'],
  ['Outlook 2003, Italian', '-----Messaggio originale-----'],
  ['Outlook 2003, Dutch', '-----Oorspronkelijk bericht-----'],
  ['Outlook 2003, Portuguese', '-----Mensagem original-----'],
  ['Outlook 2003, Swedish', '-----Ursprungligt meddelande-----'],
  ['Outlook 2003, Danish', '-----Oprindelig meddelelse-----'],
  ['Outlook 2003, Norwegian', '-----Opprinnelig melding-----'],
  ['Outlook 2003, Finnish', '-----Alkuperäinen viesti-----'],
  ['Outlook 2003, Polish', '-----Wiadomość oryginalna-----'],
  ['Outlook 2003, Czech', '-----Původní zpráva-----'],
  ['Outlook 2003, Hungarian', '-----Eredeti üzenet-----'],
  ['Outlook 2003, Russian', '-----Исходное сообщение-----'],
  ['Outlook 2003, Japanese', '-----元のメッセージ-----'],
  ['Samsung', '-------- Original message --------'],
  ['Samsung, German', '-------- Ursprüngliche Nachricht --------'],
  ['Samsung, French', "-------- Message d'origine --------"],
  ['Proton Mail', '------- Original Message -------'],
  ['Notes', '-----Support <support@provider.example> wrote: -----'],
] as const;

const replies: readonly Sample[] = [
  ...outlook.map(outlookHtml),
  ...outlook.slice(0, 6).map(onTheWeb),
  ...attributions.map(([title, line]) => reply(title, `${OWN}\n\n${line}\n\n${QUOTED}`)),
  ...borders.map(([title, line]) => reply(title, `${OWN}\n\n${line}\nFrom: ${SUPPORT}\n\nIs it still burning?`)),
  ...attributions
    .slice(0, 12)
    .map(([title, line]) =>
      reply(
        `${title}, HTML`,
        html(
          `<div dir="ltr">It is out.</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">${line.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}<br></div><blockquote class="gmail_quote">Is it still burning?</blockquote></div>`,
        ),
      ),
    ),
  reply(
    'Apple Mail, HTML',
    html(
      '<html><body>It is out.<br><div><br><blockquote type="cite"><div>On 25 Nov 2026, at 10:00, Support &lt;support@provider.example&gt; wrote:</div><br><div>Is it still burning?</div></blockquote></div></body></html>',
    ),
  ),
  reply(
    'Thunderbird, HTML',
    html(
      '<body><p>It is out.</p><div class="moz-cite-prefix">Am 25.11.26 um 10:00 schrieb Support:<br></div><blockquote type="cite" cite="mid:1@provider.example">Is it still burning?</blockquote></body>',
    ),
  ),
  reply(
    'GMX',
    `${OWN}\n\nGesendet: Mittwoch, 25. November 2026 um 10:00 Uhr\nVon: "Support" <support@provider.example>\nAn: erin@customer.example\nBetreff: Printer\n\nIs it still burning?`,
  ),
  reply(
    'Outlook for iOS',
    `${OWN}\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n________________________________\nFrom: ${SUPPORT}\nSent: Wednesday\nTo: Erin\nSubject: Printer\n\nBurning?`,
    `${OWN}\n\nGet Outlook for iOS<https://aka.ms/o0ukef>`,
  ),
  reply(
    'iPhone, German',
    `${OWN}\n\nVon meinem iPhone gesendet\n\n> Am 25.11.2026 um 10:00 schrieb ${SUPPORT}:\n> \n> Burning?`,
    `${OWN}\n\nVon meinem iPhone gesendet`,
  ),
  reply(
    'answers between quoted lines stay',
    `On 25/11/2026 10:00, Support wrote:\n> Is it still burning?\nNo.\n> Is it wet?\nYes.`,
    `On 25/11/2026 10:00, Support wrote:\n> Is it still burning?\nNo.\n> Is it wet?\nYes.`,
  ),
  reply('format=flowed', {
    type: 'text/plain; charset=utf-8; format=flowed',
    body: 'It is \nout.\n\nOn 25/11/2026 10:00, Support wrote:\n> Is it still \n> burning?',
  }),
  reply('format=flowed with DelSp', {
    type: 'text/plain; charset=utf-8; format=flowed; delsp=yes',
    body: 'It is  \nout.\n\nOn 25/11/2026 10:00, Support wrote:\n> Burning?',
  }),
];

// Mails of programs: filed as a note on the ticket they reply to, and never answered.

const absences = [
  ['English', 'Automatic reply: Printer', 'I am away until Monday.'],
  ['German', 'Abwesenheitsnotiz: Drucker', 'Ich bin bis Montag nicht im Büro.'],
  ['French', 'Réponse automatique : Imprimante', 'Je suis absent jusqu’à lundi.'],
  ['Spanish', 'Respuesta automática: Impresora', 'Estaré fuera hasta el lunes.'],
  ['Italian', 'Risposta automatica: Stampante', 'Sono assente fino a lunedì.'],
  ['Dutch', 'Automatisch antwoord: Printer', 'Ik ben afwezig tot maandag.'],
  ['Portuguese', 'Resposta automática: Impressora', 'Estarei ausente até segunda-feira.'],
  ['Swedish', 'Autosvar: Skrivare', 'Jag är borta till måndag.'],
  ['Danish', 'Automatisk svar: Printer', 'Jeg er tilbage på mandag.'],
  ['Polish', 'Odpowiedź automatyczna: Drukarka', 'Wracam w poniedziałek.'],
  ['Hungarian', 'Automatikus válasz: Nyomtató', 'Hétfőig nem vagyok az irodában.'],
  ['Romanian', 'Răspuns automat: Imprimantă', 'Revin luni.'],
  ['Ukrainian', 'Автоматична відповідь: Принтер', 'Повернуся в понеділок.'],
  ['Greek', 'Αυτόματη απάντηση: Εκτυπωτής', 'Επιστρέφω τη Δευτέρα.'],
  ['Chinese of Taiwan', '自動回覆: 印表機', '我星期一回來。'],
  ['Korean', '자동 회신: 프린터', '월요일에 돌아옵니다.'],
] as const;

const automatic = (title: string, headers: Headers, subject = `Re: ${SUBJECT}`, text = 'Away.'): Sample => ({
  title: `automatic: ${title}`,
  mail: (given) => mailOf(given, { Subject: word(subject), References: given.ours, ...headers }, utf8(text)),
  wanted: { state: 'note', subject, text },
});

/** A delivery report about a mail to the contact. */
function bounce(
  title: string,
  [local, subject]: readonly [string, string],
  make: (given: Given) => Part,
  text: string,
): Sample {
  const from_address = `${local}@mx.customer.example`;
  const headers = { From: `<${from_address}>`, Subject: subject, 'Return-Path': '<>' };
  return {
    title: `bounce: ${title}`,
    mail: (given) => composed(given, make(given), { References: given.ours, ...headers }),
    wanted: { state: 'note', subject, from_name: '', from_address, text },
  };
}
const status = (given: Given, code: string): Part => ({
  type: 'message/delivery-status',
  body: `Reporting-MTA: dns; mx.customer.example\n\nFinal-Recipient: rfc822; ${given.me}\nAction: failed\nStatus: ${code}\nDiagnostic-Code: smtp; 550 ${code} No such user`,
});
const returned = (given: Given): Part => ({
  type: 'message/rfc822',
  body: `Message-ID: ${given.ours}\nSubject: Printer\n\nIs it still burning?`,
});
const LOST = 'Your message could not be delivered.';
const reported = (given: Given, code = '5.2.2'): Part =>
  multipart('report; report-type=delivery-status', [plain(LOST), status(given, code), returned(given)]);

const programs: readonly Sample[] = [
  ...absences.map(([language, subject, text]) => automatic(`out of office, ${language}`, {}, subject, text)),
  ...absences
    .slice(0, 10)
    .map(([language, , text]) =>
      automatic(
        `out of office, ${language}, by its headers`,
        { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' },
        `Re: ${SUBJECT}`,
        text,
      ),
    ),
  automatic('auto-generated', { 'Auto-Submitted': 'auto-generated' }),
  automatic('auto-notified, with a parameter', { 'Auto-Submitted': 'auto-notified; owner-email="a@b.example"' }),
  automatic('in capitals', { 'AUTO-SUBMITTED': 'Auto-Replied (vacation)' }),
  automatic('Gmail’s responder', { Precedence: 'bulk', 'X-Autoreply': 'yes' }),
  automatic('X-Autorespond', { 'X-Autorespond': 'Printer' }),
  automatic('Precedence: auto_reply', { Precedence: 'auto_reply' }),
  automatic('Precedence: junk', { Precedence: 'junk' }),
  automatic('a mailing list', { 'List-Id': '<users.example>', Precedence: 'list' }),
  automatic('a newsletter', { 'List-Unsubscribe': '<https://news.example/out>' }),
  automatic('a null sender', { 'Return-Path': '<>' }),
  automatic('a null sender with spaces', { 'Return-Path': '  <>  ' }),
  bounce('Postfix', ['MAILER-DAEMON', 'Undelivered Mail Returned to Sender'], (given) => reported(given), LOST),
  bounce('Exchange', ['postmaster', 'Undeliverable: Printer'], (given) => reported(given), LOST),
  bounce('Gmail', ['mailer-daemon', 'Delivery Status Notification (Failure)'], (given) => reported(given), LOST),
  bounce(
    'qmail',
    ['MAILER-DAEMON', 'failure notice'],
    () => plain('Hi. This is the qmail-send program at mx.customer.example.'),
    'Hi. This is the qmail-send program at mx.customer.example.',
  ),
  bounce('Exim', ['Mailer-Daemon', 'Mail delivery failed: returning message to sender'], () => plain(LOST), LOST),
];

// Requests.

const request = (title: string, mail: Sample['mail'], wanted: Partial<Sample['wanted']> = {}): Sample => ({
  title,
  mail,
  wanted: { state: 'ticket', text: 'Help', ...wanted },
});
const asked = (title: string, headers: Headers, wanted: Partial<Sample['wanted']> = {}, body = 'Help'): Sample =>
  request(title, (given) => mailOf(given, headers, body), wanted);
const made = (title: string, part: Part, wanted: Partial<Sample['wanted']> = {}): Sample =>
  request(title, (given) => composed(given, part), wanted);
const mixed = (...parts: readonly Part[]): Part => multipart('mixed', [plain('Help'), ...parts]);

/** A charset, bytes in it, and what they say. */
const charsets = [
  ['shift_jis', '8376838a8393835e815b', 'プリンター'],
  ['euc-jp', 'a5d7a5eaa5f3a5bfa1bc', 'プリンター'],
  ['gb18030', 'b4f2d3a1bbfa', '打印机'],
  ['gb2312', 'b4f2d3a1bbfa', '打印机'],
  ['big5', 'a64caaedbef7', '印表機'],
  ['euc-kr', 'c7c1b8b0c5cd', '프린터'],
  ['koi8-r', 'f0d2c9ced4c5d2', 'Принтер'],
  ['windows-1251', 'cff0e8edf2e5f0', 'Принтер'],
  ['windows-1250', '9e6c759d6f75e86bfd', 'žluťoučký'],
  ['windows-1252', '8c757672652080', 'Œuvre €'],
  ['windows-1253', 'c5eaf4f5f0f9f4def2', 'Εκτυπωτής'],
  ['windows-1254', '79617afd63fd', 'yazıcı'],
  ['windows-1255', 'eee3f4f1fa', 'מדפסת'],
  ['windows-1256', 'd8c7c8dac9', 'طابعة'],
  ['windows-874', 'bed4c1bec7ec', 'พิมพว์'],
  ['iso-8859-1', '4dfc6c6c6572', 'Müller'],
  ['iso-8859-2', 'aff3b377', 'Żółw'],
  ['iso-8859-15', '3520a4', '5 €'],
  ['utf-8', 'c39cc3a4e282ac', 'Üä€'],
  ['iso-2022-jp', '1b24422557256a2573253f213c1b2842', 'プリンター'],
] as const;
const qWord = (charset: string, bytes: Buffer): string =>
  `=?${charset}?Q?${[...bytes].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')}?=`;
const escaped = (bytes: Buffer, sign: string): string =>
  [...bytes].map((byte) => `${sign}${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

const written: readonly Sample[] = charsets.flatMap(([charset, hex, text]) => {
  const bytes = Buffer.from(hex, 'hex');
  const attached: Part = {
    type: 'application/octet-stream',
    headers: { 'Content-Disposition': `attachment; filename*=${charset}''${escaped(bytes, '%')}.pdf` },
    body: 'x',
  };
  const body: Part = { type: `text/plain; charset="${charset}"`, body: bytes.toString('latin1') };
  const quoted: Part = {
    type: `text/html; charset=${charset.toUpperCase()}`,
    headers: { 'Content-Transfer-Encoding': 'quoted-printable' },
    body: `<p>${escaped(bytes, '=')}</p>`,
  };
  return [
    request(
      `charset ${charset}, 8bit`,
      (given) =>
        composed(given, multipart('mixed', [body, attached]), {
          Subject: word('', charset, bytes),
          From: `${qWord(charset, bytes)} <${given.me}>`,
        }),
      { subject: text, from_name: text, text, files: [`${text}.pdf`] },
    ),
    request(
      `charset ${charset}, quoted-printable HTML`,
      (given) => composed(given, multipart('alternative', [quoted]), { Subject: qWord(charset, bytes) }),
      { subject: text, text },
    ),
  ];
});

const invitation = (method: string): Part => ({
  type: `text/calendar; charset=utf-8; method=${method}`,
  body: `BEGIN:VCALENDAR\nMETHOD:${method}\nBEGIN:VEVENT\nSUMMARY:Replace the printer\nDTSTART:20261201T090000Z\nEND:VEVENT\nEND:VCALENDAR`,
});
const named = (disposition: string, type = 'application/octet-stream'): Part => ({
  type,
  headers: { 'Content-Disposition': disposition },
  body: 'x',
});
const withFile = (title: string, part: Part, name: string): Sample =>
  made(`file: ${title}`, mixed(part), { files: [name] });
const forwarded = (subject: string): Part => ({
  type: 'message/rfc822; name="forwarded.eml"',
  headers: { 'Content-Disposition': 'attachment; filename="forwarded.eml"' },
  body: `From: somebody@elsewhere.example\nSubject: ${subject}\n\nInner`,
});
const subjectOf = (title: string, raw: string, subject: string): Sample =>
  asked(`subject: ${title}`, { Subject: raw }, { subject });
const nameOf = (title: string, raw: string, from_name: string): Sample =>
  request(`sender: ${title}`, (given) => mailOf(given, { From: raw.replace('@', given.me) }, 'Help'), { from_name });

const requests: readonly Sample[] = [
  ...written,

  // Texts.
  asked(
    'undeclared Windows-1252',
    { 'Content-Type': undefined, Subject: 'Gr\xfc\xdfe' },
    { subject: 'Grüße', text: '5 €' },
    '5 \x80',
  ),
  asked('Windows-1252 declared as UTF-8', {}, { text: 'Grüße' }, 'Gr\xfc\xdfe'),
  ...['us-ascii', 'iso-8859-1', "'utf-8'", 'unknown-8bit'].map((charset) =>
    asked(
      `UTF-8 declared as ${charset}`,
      {
        'Content-Type': `text/plain; charset="${charset}"`,
        Subject: `=?${charset.replaceAll("'", '')}?Q?Gr=C3=BC=C3=9Fe?=`,
      },
      { subject: 'Grüße', text: 'Grüße – 5 €' },
      Buffer.from('Grüße – 5 €').toString('latin1'),
    ),
  ),
  asked(
    'a charset in single quotes',
    { 'Content-Type': "text/plain;\r\n charset='windows-1251'" },
    { text: 'Принтер' },
    Buffer.from('cff0e8edf2e5f0', 'hex').toString('latin1'),
  ),
  asked(
    'single quotes around a name in the text',
    {},
    { text: "Content of the page: charset='windows-1251' – é" },
    Buffer.from("Content of the page: charset='windows-1251' – é").toString('latin1'),
  ),
  asked(
    'Windows-1252 declared as ISO-8859-1',
    { 'Content-Type': 'text/plain; charset=iso-8859-1' },
    { text: '5 €' },
    '5 \x80',
  ),
  asked('UTF-8 undeclared', { 'Content-Type': 'text/plain' }, { text: 'Grüße' }, utf8('Grüße')),
  asked('an unknown charset', { 'Content-Type': 'text/plain; charset=x-unknown' }),
  asked('utf8 without a hyphen', { 'Content-Type': 'text/plain; charset=utf8' }, { text: 'Grüße' }, utf8('Grüße')),
  asked('cp1252', { 'Content-Type': 'text/plain; charset=cp1252' }, { text: 'Grüße' }, 'Gr\xfc\xdfe'),
  asked('a byte order mark', {}, {}, '\xef\xbb\xbfHelp'),
  asked('a zero byte', {}, { text: 'Help me' }, 'Help\0 me'),
  asked('base64', { 'Content-Transfer-Encoding': 'base64' }, { text: 'Grüße' }, base64('Grüße')),
  asked('base64 without padding', { 'Content-Transfer-Encoding': 'base64' }, {}, 'SGVscA'),
  asked('base64 with foreign characters', { 'Content-Transfer-Encoding': 'base64' }, {}, 'SG*Vs\n cA=='),
  asked('base64 in capitals', { 'Content-Transfer-Encoding': 'BASE64' }, {}, 'SGVscA=='),
  asked(
    'quoted-printable',
    { 'Content-Transfer-Encoding': 'quoted-printable' },
    { text: 'Grüße' },
    'Gr=C3=BC=C3=\n=9Fe',
  ),
  asked(
    'broken quoted-printable',
    { 'Content-Transfer-Encoding': 'quoted-printable' },
    { text: '100=% =XY' },
    '100=% =XY',
  ),
  asked(
    'quoted-printable in small letters',
    { 'Content-Transfer-Encoding': 'quoted-printable' },
    { text: 'ü' },
    '=c3=bc',
  ),
  asked('an unknown transfer encoding', { 'Content-Transfer-Encoding': 'x-none' }),
  asked('no content type', { 'Content-Type': undefined, 'MIME-Version': undefined }),
  asked('a malformed content type', { 'Content-Type': 'text' }, { text: '', files: ['file-1'] }),
  asked('no text', {}, { text: '' }, ''),
  asked(
    'Chinese as HTML entities',
    { 'Content-Type': 'text/html' },
    { text: '打印 & "Hi"' },
    '<p>&#25171;&#x5370; &amp; &quot;Hi&quot;</p>',
  ),
  asked(
    'HTML with named entities',
    { 'Content-Type': 'text/html; charset=utf-8' },
    { text: 'Grüße – 5 €' },
    '<p>Gr&uuml;&szlig;e &ndash; 5&nbsp;&euro;</p>',
  ),
  asked(
    'HTML with styles and scripts',
    { 'Content-Type': 'text/html' },
    {},
    '<head><style>p{}</style></head><script>1</script><p>Help</p>',
  ),
  asked(
    'HTML with a table',
    { 'Content-Type': 'text/html' },
    { text: 'A\nB' },
    '<table><tr><td>A</td></tr><tr><td>B</td></tr></table>',
  ),
  asked(
    'HTML with conditional comments',
    { 'Content-Type': 'text/html' },
    {},
    '<!--[if mso]><p>Outlook</p><![endif]--><p>Help</p>',
  ),
  asked('HTML that is cut off', { 'Content-Type': 'text/html' }, {}, '<div><p>Help<a href="http'),
  asked('flowed text', { 'Content-Type': 'text/plain; format=flowed' }, { text: 'Help me now' }, 'Help \nme \nnow'),
  made('plain text and HTML', multipart('alternative', [plain('Help'), html('<p>Other</p>')])),
  made('an empty plain text besides HTML', multipart('alternative', [plain(''), html('<p>Help</p>')])),
  made(
    'AMP',
    multipart('alternative', [
      plain('Help'),
      { type: 'text/x-amp-html', body: '<html amp4email></html>' },
      html('<p>Help</p>'),
    ]),
  ),
  made('parts without the last boundary', {
    type: 'multipart/mixed; boundary=b',
    body: '--b\nContent-Type: text/plain\n\nHelp',
  }),
  made('two texts', multipart('mixed', [plain('Help'), plain('me')]), { text: 'Help\n\nme' }),

  // Headers.
  asked('an empty subject', { Subject: '' }, { subject: '' }),
  asked('no subject', { Subject: undefined }, { subject: '' }),
  subjectOf('folded', 'Printer\r\n on fire', 'Printer on fire'),
  subjectOf('two words, joined', `${word('Grü')}\r\n ${word('ße')}`, 'Grüße'),
  subjectOf('a character over two words', '=?utf-8?B?R3LD?=\r\n =?utf-8?B?vMOfZQ==?=', 'Grüße'),
  subjectOf('a word within text', `Re: ${word('Grüße')} now`, 'Re: Grüße now'),
  subjectOf('underscores', '=?utf-8?Q?Gr=C3=BC=C3=9Fe_now?=', 'Grüße now'),
  subjectOf('a language', '=?utf-8*de?Q?Gr=C3=BC=C3=9Fe?=', 'Grüße'),
  subjectOf('small letters', '=?utf-8?q?Gr=c3=bc=c3=9fe?=', 'Grüße'),
  subjectOf('in quotes', '"=?utf-8?Q?Gr=C3=BC=C3=9Fe?="', '"Grüße"'),
  subjectOf('UTF-8 without encoding', utf8('Grüße'), 'Grüße'),
  subjectOf('an unfinished word', '=?utf-8?Q?Gr=C3', '=?utf-8?Q?Gr=C3'),
  subjectOf('an emoji', word('Printer 🔥'), 'Printer 🔥'),
  subjectOf('tabs and line breaks', word('Printer\r\n\ton fire'), 'Printer on fire'),
  subjectOf('reversed writing', word('Printer \u202Eerif no'), 'Printer erif no'),
  nameOf('quoted', '"Example, Erin" <@>', 'Example, Erin'),
  nameOf('undeclared Windows-1252', 'J\xfcrgen <@>', 'Jürgen'),
  nameOf('quoted quotes', '"Erin \\"E\\" Example" <@>', 'Erin "E" Example'),
  nameOf('encoded within quotes', '"=?utf-8?Q?J=C3=BCrgen?=" <@>', 'Jürgen'),
  nameOf('encoded with a comma', '=?utf-8?Q?Example=2C_Erin?= <@>', 'Example, Erin'),
  nameOf('as a comment', '@ (Erin Example)', 'Erin Example'),
  nameOf('none', '@', ''),
  nameOf('reversed', `${word('Erin \u202Eelpmaxe')} <@>`, 'Erin elpmaxe'),
  nameOf('capitals and spaces', 'ERIN   EXAMPLE  < @ >', 'ERIN EXAMPLE'),
  nameOf('in a group', 'Staff: Erin Example <@>;', 'Erin Example'),
  request(
    'three senders',
    (given) =>
      mailOf(
        given,
        { From: `A <${given.me}>, B <b@elsewhere.example>, c@elsewhere.example`, Sender: given.me },
        'Help',
      ),
    { state: 'review', from_name: 'A' },
  ),
  asked(
    'an empty group as the sender',
    { From: 'undisclosed-recipients:;' },
    { state: 'review', from_name: '', from_address: '' },
  ),
  asked('a broken sender', { From: '<<>>' }, { state: 'review', from_name: '>', from_address: '' }),
  asked('undisclosed recipients', { To: 'undisclosed-recipients:;' }),
  asked('no date', { Date: undefined }),
  asked('a malformed date', { Date: 'yesterday, around 31/31/9999' }),
  asked('no Message-ID', { 'Message-ID': undefined }, { text: 'Help without an id' }, 'Help without an id'),
  asked(
    'a Message-ID without brackets',
    { 'Message-ID': 'abc' },
    { text: 'Help without brackets' },
    'Help without brackets',
  ),
  asked(
    'a Message-ID that another mail has',
    { 'Message-ID': '<repeated@elsewhere.example>' },
    { text: 'First' },
    'First',
  ),
  asked('the same Message-ID again', { 'Message-ID': '<repeated@elsewhere.example>' }, { text: 'Second' }, 'Second'),
  asked('headers of 200 KB', { 'X-Spam-Report': 'x'.repeat(200_000) }),
  asked('a thousand references', {
    References: Array.from({ length: 1000 }, (_, n) => `<${n}@elsewhere.example>`).join('\r\n '),
  }),
  asked('high priority', { 'X-Priority': '1', Importance: 'high' }),
  asked('Auto-Submitted: no', { 'Auto-Submitted': 'no' }),
  asked('a header without a colon', { 'X-Broken\r\nno colon here\r\nX-More': 'x' }),
  asked('an automatic mail about nothing', { 'Auto-Submitted': 'auto-generated' }, { state: 'ignored' }),

  // Files.
  withFile('RFC 2231', named("attachment; filename*=utf-8''%C3%9Cbersicht.pdf"), 'Übersicht.pdf'),
  withFile(
    'RFC 2231 in parts',
    named("attachment; filename*0*=utf-8''%C3%9Cber; filename*1=sicht; filename*2=.pdf"),
    'Übersicht.pdf',
  ),
  withFile('RFC 2231 in plain parts', named('attachment; filename*0="over"; filename*1="view.pdf"'), 'overview.pdf'),
  withFile(
    'RFC 2231 before the plain name',
    named('attachment; filename="U.pdf"; filename*=utf-8\'\'%C3%9C.pdf'),
    'Ü.pdf',
  ),
  withFile('an encoded word', named(`attachment; filename="${word('Übersicht.pdf')}"`), 'Übersicht.pdf'),
  withFile('two encoded words', named(`attachment; filename="${word('Über')} ${word('sicht.pdf')}"`), 'Übersicht.pdf'),
  withFile(
    'a name in the content type',
    named('attachment', `application/pdf; name="${word('Über.pdf')}"`),
    'Über.pdf',
  ),
  withFile('a path', named('attachment; filename="C:\\\\temp\\\\a.pdf"'), 'a.pdf'),
  withFile('no name', named('attachment', 'application/pdf'), 'file-1'),
  withFile('a name without quotes', named('attachment; filename=my report.pdf'), 'my report.pdf'),
  withFile('reversed writing', named("attachment; filename*=utf-8''report%E2%80%AEfdp.exe"), 'reportfdp.exe'),
  withFile('an empty file', file('empty.log', '', 'text/plain'), 'empty.log'),
  withFile('winmail.dat', encoded('winmail.dat', winmail('plan.txt', 'Burn'), 'application/ms-tnef'), 'plan.txt'),
  withFile('a damaged winmail.dat', encoded('winmail.dat', Buffer.from('x'), 'application/ms-tnef'), 'winmail.dat'),
  withFile('a forwarded mail', forwarded('Printer'), 'forwarded.eml'),
  withFile('a text file', file('log.txt', 'line', 'text/plain'), 'log.txt'),
  withFile('a web page', file('page.html', '<p>Page</p>', 'text/html'), 'page.html'),
  withFile('a contact card', file('erin.vcf', 'BEGIN:VCARD', 'text/vcard'), 'erin.vcf'),
  withFile('a picture', encoded('screen.png', picture(40_000), 'image/png'), 'screen.png'),
  made(
    'file: a picture in the text',
    multipart('related', [
      html('<p>Help</p><img src="cid:screen.png@part">'),
      encoded('screen.png', picture(40_000), 'image/png', 'inline'),
    ]),
    { files: ['screen.png'] },
  ),
  made(
    'file: a logo in the text',
    multipart('related', [
      html('<p>Help</p><img src="cid:logo.png@part">'),
      encoded('logo.png', picture(2000), 'image/png', 'inline'),
    ]),
  ),
  made(
    'signed with S/MIME',
    multipart('signed; protocol="application/pkcs7-signature"', [
      plain('Help'),
      encoded('smime.p7s', Buffer.from('x'), 'application/pkcs7-signature'),
    ]),
  ),
  made(
    'signed with PGP',
    multipart('signed; protocol="application/pgp-signature"', [
      plain('Help'),
      file('signature.asc', 'x', 'application/pgp-signature'),
    ]),
  ),
  made(
    'encrypted with PGP',
    multipart('encrypted; protocol="application/pgp-encrypted"', [
      named('attachment; filename="version.txt"', 'application/pgp-encrypted'),
      named('inline; filename="encrypted.asc"'),
    ]),
    { text: 'This mail is encrypted and cannot be read.', files: ['version.txt', 'encrypted.asc'] },
  ),
  made('an invitation', multipart('alternative', [plain('Help'), invitation('REQUEST')]), { files: ['invite.ics'] }),
  made('a cancelled invitation', multipart('alternative', [plain('Help'), invitation('CANCEL')]), {
    files: ['invite.ics'],
  }),
  made('an accepted invitation', multipart('alternative', [plain('Yes'), invitation('REPLY')]), {
    state: 'ignored',
    text: 'Yes',
    files: ['invite.ics'],
  }),

  // Forwards keep what they forward.
  request(
    'a forward by Gmail',
    (given) =>
      composed(
        given,
        plain(
          'Help\n\n---------- Forwarded message ---------\nFrom: A <a@b.example>\nDate: Wed\nSubject: Offer\nTo: Erin\n\nBuy',
        ),
        { Subject: 'Fwd: Offer' },
      ),
    {
      subject: 'Fwd: Offer',
      text: 'Help\n\n---------- Forwarded message ---------\nFrom: A <a@b.example>\nDate: Wed\nSubject: Offer\nTo: Erin\n\nBuy',
    },
  ),
  request(
    'a forward by Apple Mail',
    (given) =>
      composed(
        given,
        plain('Help\n\n> Begin forwarded message:\n> \n> From: A <a@b.example>\n> Subject: Offer\n> \n> Buy'),
        { Subject: 'Fwd: Offer' },
      ),
    {
      subject: 'Fwd: Offer',
      text: 'Help\n\n> Begin forwarded message:\n> \n> From: A <a@b.example>\n> Subject: Offer\n> \n> Buy',
    },
  ),
  request(
    'a forward by Outlook, German',
    (given) =>
      composed(given, plain('Help\n\nVon: A <a@b.example>\nGesendet: Mittwoch\nAn: Erin\nBetreff: Offer\n\nBuy'), {
        Subject: 'WG: Offer',
      }),
    { subject: 'WG: Offer', text: 'Help\n\nVon: A <a@b.example>\nGesendet: Mittwoch\nAn: Erin\nBetreff: Offer\n\nBuy' },
  ),
  request(
    'a forward by Outlook, French',
    (given) =>
      composed(given, plain('Help\n\nDe : A <a@b.example>\nEnvoyé : mercredi\nÀ : Erin\nObjet : Offer\n\nBuy'), {
        Subject: 'TR : Offer',
      }),
    { subject: 'TR : Offer', text: 'Help\n\nDe : A <a@b.example>\nEnvoyé : mercredi\nÀ : Erin\nObjet : Offer\n\nBuy' },
  ),
];

export const corpus: readonly Sample[] = [...replies, ...programs, ...requests];
