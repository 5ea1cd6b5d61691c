// A table of mails as real programs write them: what each contains, and the expected outcome.
import { deflateRawSync } from 'node:zlib';

export interface Given {
  /** Address of the sending contact. */
  readonly me: string;
  /** Message-IDs of the mail that we sent them about their ticket, and of their first mail. */
  readonly ours: string;
  readonly first: string;
  /** The number of their ticket. */
  readonly number: number;
  /** Address of the mailbox. */
  readonly to: string;
  /** A new Message-ID. */
  readonly id: string;
}

export interface Wanted {
  readonly state: 'ticket' | 'comment' | 'note' | 'ignored' | 'review';
  readonly reason?: RegExp;
  /** The text of the ticket or the comment. */
  readonly text?: string | RegExp;
  readonly subject?: string;
  readonly from_name?: string;
  /** The names of the attached files. */
  readonly files?: readonly string[];
}

export interface Form {
  readonly title: string;
  readonly mail: (given: Given) => Buffer;
  readonly wanted: Wanted;
}

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Builds a mail. Header values and bodies are bytes in latin1, so that any encoding is possible. */
export function mailOf({ me, to, id }: Given, headers: Headers, body: string): Buffer {
  const all: Headers = {
    From: `Erin Example <${me}>`,
    To: to,
    Subject: 'Printer on fire',
    'Message-ID': id,
    Date: 'Wed, 25 Nov 2026 09:00:00 +0000',
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': '8bit',
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : value === undefined ? [] : [value]).map((each) => `${name}: ${each}`),
  );
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body.replaceAll(/\r?\n/g, '\r\n')}\r\n`, 'latin1');
}

export const utf8 = (text: string): string => Buffer.from(text).toString('latin1');
export const base64 = (bytes: Buffer | string): string =>
  Buffer.from(bytes)
    .toString('base64')
    .replaceAll(/(.{76})/g, '$1\n');
export const word = (text: string, charset = 'utf-8', bytes: Buffer = Buffer.from(text)): string =>
  `=?${charset}?B?${bytes.toString('base64')}?=`;

export interface Part {
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

let boundaries = 0;
/** Returns the content type and body of a multipart message. */
export function multipart(kind: string, parts: readonly Part[]): Part {
  const boundary = `----=_Part_${++boundaries}`;
  const written = parts.map(({ type, headers = {}, body }) => {
    const all = Object.entries({ 'Content-Type': type, ...headers }).map((each) => each.join(': '));
    return `--${boundary}\n${all.join('\n')}\n\n${body}\n`;
  });
  return { type: `multipart/${kind}; boundary="${boundary}"`, body: `${written.join('')}--${boundary}--` };
}
export const plain = (text: string): Part => ({ type: 'text/plain; charset=utf-8', body: utf8(text) });
export const html = (text: string): Part => ({ type: 'text/html; charset=utf-8', body: utf8(text) });
export const file = (name: string, body: string, type = 'application/octet-stream'): Part => ({
  type: `${type}; name="${name}"`,
  headers: { 'Content-Disposition': `attachment; filename="${name}"` },
  body,
});
export const encoded = (
  name: string,
  bytes: Buffer,
  type = 'application/octet-stream',
  disposition = 'attachment',
): Part => ({
  type: `${type}; name="${name}"`,
  headers: {
    'Content-Disposition': `${disposition}; filename="${name}"`,
    'Content-Transfer-Encoding': 'base64',
    'Content-ID': `<${name}@part>`,
  },
  body: base64(bytes),
});

export const composed = (given: Given, { type, body }: Part, headers: Headers = {}): Buffer =>
  mailOf(given, { 'Content-Type': type, ...headers }, body);

const SUPPORT = 'Support <support@provider.example>';
const QUOTED = '> Is it still burning?\n>\n> Your support';

// Replies: text above the quotation of various mail programs.
const reply = (title: string, body: (given: Given) => Part, text = 'It is out.'): Form => ({
  title,
  mail: (given) =>
    composed(given, body(given), { Subject: `Re: [#${given.number}] Printer on fire`, 'In-Reply-To': given.ours }),
  wanted: { state: 'comment', text, files: [] },
});

const outlook = ([language, from, sent, to, subject]: readonly string[]): Form =>
  reply(`Outlook, ${language}`, () =>
    plain(
      `It is out.\n\n${from} ${SUPPORT}\n${sent} Wednesday, 25 November 2026 10:00\n${to} Erin\n${subject} Printer\n\nIs it still burning?`,
    ),
  );

const attributed = ([language, line]: readonly string[]): Form =>
  reply(`Gmail, ${language}`, () => plain(`It is out.\n\n${line}\n\n${QUOTED}`));

const replies: readonly Form[] = [
  ...[
    ['English', 'From:', 'Sent:', 'To:', 'Subject:'],
    ['bold', '*From:*', '*Sent:*', '*To:*', '*Subject:*'],
    ['German', 'Von:', 'Gesendet:', 'An:', 'Betreff:'],
    ['French', 'De :', 'Envoyé :', 'À :', 'Objet :'],
    ['Spanish', 'De:', 'Enviado el:', 'Para:', 'Asunto:'],
    ['Italian', 'Da:', 'Inviato:', 'A:', 'Oggetto:'],
    ['Dutch', 'Van:', 'Verzonden:', 'Aan:', 'Onderwerp:'],
    ['Portuguese', 'De:', 'Enviada em:', 'Para:', 'Assunto:'],
    ['Swedish', 'Från:', 'Skickat:', 'Till:', 'Ämne:'],
    ['Polish', 'Od:', 'Wysłano:', 'Do:', 'Temat:'],
    ['Japanese', '差出人:', '送信日時:', '宛先:', '件名:'],
  ].map(outlook),
  ...[
    ['English', `On Wed, Nov 25, 2026 at 10:00 AM ${SUPPORT} wrote:`],
    ['English, wrapped', 'On Wed, Nov 25, 2026 at 10:00 AM Support <\nsupport@provider.example> wrote:'],
    ['German', `Am Mi., 25. Nov. 2026 um 10:00 Uhr schrieb ${SUPPORT}:`],
    ['French', `Le mer. 25 nov. 2026 à 10:00, ${SUPPORT} a écrit :`],
    ['Spanish', 'El mié, 25 nov 2026 a las 10:00, Support (<support@provider.example>) escribió:'],
    ['Italian', `Il giorno mer 25 nov 2026 alle ore 10:00 ${SUPPORT} ha scritto:`],
    ['Dutch', `Op wo 25 nov 2026 om 10:00 schreef ${SUPPORT}:`],
    ['Portuguese', `Em qua., 25 de nov. de 2026 às 10:00, ${SUPPORT} escreveu:`],
    ['Swedish', `Den ons 25 nov. 2026 kl 10:00 skrev ${SUPPORT}:`],
    ['Polish', `śr., 25 lis 2026 o 10:00 ${SUPPORT} napisał(a):`],
    ['Japanese', `2026年11月25日(水) 10:00 ${SUPPORT}:`],
  ].map(attributed),
  reply('Apple Mail', () =>
    plain(`It is out.\n\n> On 25 Nov 2026, at 10:00, ${SUPPORT} wrote:\n> \n> Is it still burning?\n`),
  ),
  reply(
    'iPhone',
    () =>
      plain(
        `It is out.\n\nSent from my iPhone\n\n> On 25 Nov 2026, at 10:00, ${SUPPORT} wrote:\n> \n> Is it burning?\n`,
      ),
    'It is out.\n\nSent from my iPhone',
  ),
  reply('Outlook on the web', () =>
    plain(
      `It is out.\n\n________________________________\nFrom: ${SUPPORT}\nSent: Wednesday\nTo: Erin\nSubject: Printer\n\nBurning?`,
    ),
  ),
  reply('Outlook 2010', () =>
    plain(`It is out.\n\n-----Original Message-----\nFrom: ${SUPPORT}\nSent: Wednesday\n\nBurning?`),
  ),
  reply('Outlook, HTML only', () =>
    html(`<html><head><style>p{margin:0}</style></head><body><div class="WordSection1"><p class="MsoNormal">It is&nbsp;out.</p>
      <p class="MsoNormal">&nbsp;</p><div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal">
      <b>From:</b> Support &lt;support@provider.example&gt;<br><b>Sent:</b> Wednesday<br><b>To:</b> Erin<br><b>Subject:</b> Printer</p>
      </div><p>Is it still burning?</p></div></body></html>`),
  ),
  reply('Outlook, plain and HTML', () =>
    multipart('alternative', [
      plain(`It is out.\n\nFrom: ${SUPPORT}\nSent: Wednesday\n\nBurning?`),
      html('<p>It is out.</p>'),
    ]),
  ),
  reply('Gmail, HTML only', () =>
    html(`<div dir="ltr">It is out.</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Wed, Nov 25, 2026 at
      10:00 AM Support &lt;<a href="mailto:support@provider.example">support@provider.example</a>&gt; wrote:<br></div>
      <blockquote class="gmail_quote" style="margin:0">Is it still burning?</blockquote></div>`),
  ),
  reply(
    'a line of the text that begins like a header stays',
    () => plain('It is out.\nFrom: the fire brigade'),
    'It is out.\nFrom: the fire brigade',
  ),
];

// Out-of-office replies with Exchange's subjects and no other sign.
const away = [
  ['English', 'Automatic reply: Printer'],
  ['German', 'Automatische Antwort: Drucker'],
  ['French', 'Réponse automatique : Imprimante'],
  ['Spanish', 'Respuesta automática: Impresora'],
  ['Italian', 'Risposta automatica: Stampante'],
  ['Dutch', 'Automatisch antwoord: Printer'],
  ['Portuguese', 'Resposta automática: Impressora'],
  ['Swedish', 'Autosvar: Skrivare'],
  ['Polish', 'Odpowiedź automatyczna: Drukarka'],
  ['Japanese', '自動応答: プリンター'],
  ['Czech', 'Automatická odpověď: Tiskárna'],
  ['Finnish', 'Automaattinen vastaus: Tulostin'],
  ['Turkish', 'Otomatik yanıt: Yazıcı'],
  ['Chinese', '自动答复: 打印机'],
] as const;
const absences: readonly Form[] = away.flatMap(([language, subject]) => [
  {
    title: `out of office, ${language}`,
    mail: (given) => mailOf(given, { Subject: word(subject) }, 'I am away.'),
    wanted: { state: 'review', reason: /out-of-office/ },
  },
  {
    title: `out of office about a ticket, ${language}`,
    mail: (given) => mailOf(given, { Subject: word(subject), 'In-Reply-To': given.ours }, 'I am away.'),
    wanted: { state: 'note', text: `${subject}\n\nI am away.` },
  },
]);

const japanese = Buffer.from('GyRCJVclaiVzJT8kLEczJCgkRiQkJF4kOSEjGyhC', 'base64');
const japaneseText = new TextDecoder('iso-2022-jp').decode(japanese);

/** A winmail.dat with one file, as written by Outlook. */
export function winmail(name: string, content: string): Buffer {
  const attribute = (level: number, id: number, data: Buffer) => {
    const head = Buffer.alloc(9);
    head.writeUInt8(level, 0);
    head.writeUInt32LE(id, 1);
    head.writeUInt32LE(data.length, 5);
    const sum = Buffer.alloc(2);
    sum.writeUInt16LE(data.reduce((all, each) => (all + each) & 0xff_ff, 0));
    return Buffer.concat([head, data, sum]);
  };
  const signature = Buffer.from([0x78, 0x9f, 0x3e, 0x22, 0x01, 0x00]);
  return Buffer.concat([
    signature,
    attribute(1, 0x00_08_90_06, Buffer.from([0, 0, 1, 0])),
    attribute(2, 0x00_06_90_02, Buffer.alloc(14)),
    attribute(2, 0x00_01_80_10, Buffer.from(`${name}\0`)),
    attribute(2, 0x00_06_80_0f, Buffer.from(content)),
  ]);
}

const invitation = (method: string) =>
  `BEGIN:VCALENDAR\nMETHOD:${method}\nBEGIN:VEVENT\nSUMMARY:Replace the printer\nDTSTART:20261201T090000Z\nEND:VEVENT\nEND:VCALENDAR`;

const report = (given: Given, headers: Headers, about: string): Buffer =>
  composed(
    given,
    multipart('report; report-type=delivery-status', [
      plain('Your mail could not be delivered.'),
      {
        type: 'message/delivery-status',
        body: `Reporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; ${given.me}\nAction: failed\nStatus: 5.2.2\nDiagnostic-Code: smtp; 552 5.2.2 mailbox full`,
      },
      { type: 'text/rfc822-headers', body: `To: ${given.me}\nMessage-ID: ${about}\nSubject: Printer` },
    ]),
    { Subject: 'Undelivered Mail Returned to Sender', ...headers },
  );

export const picture = (size: number): Buffer =>
  Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), deflateRawSync(Buffer.alloc(16)), Buffer.alloc(size, 7)]);

const LARGE = Buffer.alloc(12 * 1024 * 1024, 'large ');

const requests: readonly Form[] = [
  {
    title: 'ISO-2022-JP',
    mail: (given) =>
      mailOf(
        given,
        {
          Subject: word('', 'ISO-2022-JP', japanese),
          'Content-Type': 'text/plain; charset=ISO-2022-JP',
          'Content-Transfer-Encoding': '7bit',
        },
        japanese.toString('latin1'),
      ),
    wanted: { state: 'ticket', subject: japaneseText, text: japaneseText },
  },
  {
    title: 'Windows-1252 without declaration',
    mail: (given) =>
      mailOf(
        given,
        { Subject: 'Drucker f\xe4llt aus', 'Content-Type': undefined },
        'Gr\xfc\xdfe \x96 es brennt f\xfcr 5 \x80.',
      ),
    wanted: { state: 'ticket', subject: 'Drucker fällt aus', text: 'Grüße – es brennt für 5 €.' },
  },
  {
    title: 'Windows-1252 that is declared as UTF-8',
    mail: (given) => mailOf(given, {}, 'Gr\xfc\xdfe'),
    wanted: { state: 'ticket', text: 'Grüße' },
  },
  {
    title: 'an empty subject',
    mail: (given) => mailOf(given, { Subject: '' }, 'Help'),
    wanted: { state: 'ticket', subject: 'No subject', text: 'Help' },
  },
  {
    title: 'no subject at all, and no text',
    mail: (given) => mailOf(given, { Subject: undefined }, ''),
    wanted: { state: 'ticket', subject: 'No subject', text: 'This mail has no text.' },
  },
  {
    title: 'only a subject with prefixes',
    mail: (given) => mailOf(given, { Subject: 'AW: Re: WG: Fwd: Printer' }, 'Help'),
    wanted: { state: 'ticket', subject: 'Printer', text: 'Help' },
  },
  {
    title: 'very long headers',
    mail: (given) =>
      mailOf(
        given,
        {
          Subject: `Printer ${'on fire '.repeat(5000)}`,
          To: Array.from({ length: 1000 }, (_, n) => `person-${n}@elsewhere.example`).join(',\r\n '),
          References: Array.from({ length: 500 }, (_, n) => `<${n}@elsewhere.example>`).join('\r\n '),
          'X-Spam-Report': 'x'.repeat(60_000),
        },
        'Help',
      ),
    wanted: { state: 'ticket', text: 'Help' },
  },
  {
    title: 'no Message-ID',
    mail: (given) => mailOf(given, { 'Message-ID': undefined }, `Help ${given.id}`),
    wanted: { state: 'ticket' },
  },
  {
    title: 'references to a conversation that is not ours',
    mail: (given) =>
      mailOf(given, { 'In-Reply-To': '<a@elsewhere.example>', References: '<b@elsewhere.example>' }, 'Help'),
    wanted: { state: 'ticket', text: 'Help' },
  },
  {
    title: 'the number of a ticket that does not exist',
    mail: (given) => mailOf(given, { Subject: 'Re: [#999999] Printer' }, 'Help'),
    wanted: { state: 'ticket', subject: 'Printer' },
  },
  {
    title: 'winmail.dat',
    mail: (given) =>
      composed(
        given,
        multipart('mixed', [plain('Help'), encoded('winmail.dat', winmail('plan.txt', 'Burn'), 'application/ms-tnef')]),
      ),
    wanted: { state: 'ticket', text: 'Help', files: ['plan.txt'] },
  },
  {
    title: 'winmail.dat that is damaged',
    mail: (given) =>
      composed(
        given,
        multipart('mixed', [plain('Help'), encoded('winmail.dat', Buffer.from('nothing'), 'application/ms-tnef')]),
      ),
    wanted: { state: 'ticket', text: 'Help', files: ['winmail.dat'] },
  },
  {
    title: 'signed with S/MIME',
    mail: (given) =>
      composed(
        given,
        multipart('signed; protocol="application/pkcs7-signature"; micalg=sha-256', [
          plain('Help'),
          encoded('smime.p7s', Buffer.from('signature'), 'application/pkcs7-signature'),
        ]),
      ),
    wanted: { state: 'ticket', text: 'Help', files: [] },
  },
  {
    title: 'signed with PGP',
    mail: (given) =>
      composed(
        given,
        multipart('signed; protocol="application/pgp-signature"; micalg=pgp-sha512', [
          multipart('mixed', [plain('Help'), file('log.txt', '42', 'text/plain')]),
          file('signature.asc', '-----BEGIN PGP SIGNATURE-----', 'application/pgp-signature'),
        ]),
      ),
    wanted: { state: 'ticket', text: 'Help', files: ['log.txt'] },
  },
  {
    title: 'encrypted with S/MIME',
    mail: (given) =>
      mailOf(
        given,
        {
          'Content-Type': 'application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"',
          'Content-Disposition': 'attachment; filename="smime.p7m"',
          'Content-Transfer-Encoding': 'base64',
        },
        base64('secret'),
      ),
    wanted: { state: 'ticket', text: 'This mail is encrypted and cannot be read.', files: ['smime.p7m'] },
  },
  {
    title: 'nested forwards',
    mail: (given) => {
      const inner = (text: string, part?: Part): Part => {
        const body = multipart('mixed', [plain(text), ...(part ? [part] : [])]);
        const head = `From: somebody@elsewhere.example\nSubject: ${text}\nIn-Reply-To: ${given.ours}\nAuto-Submitted: auto-replied`;
        const type = 'message/rfc822; name="forwarded.eml"';
        const headers = { 'Content-Disposition': 'attachment; filename="forwarded.eml"' };
        return { type, headers, body: `${head}\nContent-Type: ${body.type}\n\n${body.body}` };
      };
      return composed(given, multipart('mixed', [plain('See below'), inner('Outer', inner('Inner'))]), {
        Subject: 'Fwd: Outer',
      });
    },
    wanted: { state: 'ticket', subject: 'Outer', text: 'See below', files: ['forwarded.eml'] },
  },
  {
    title: 'a forward as text keeps what is forwarded',
    mail: (given) =>
      composed(
        given,
        plain(
          '---------- Forwarded message ---------\nFrom: Vendor <a@vendor.example>\nDate: Wed\nSubject: Offer\nTo: Erin\n\nBuy it',
        ),
        {
          Subject: 'Fwd: Offer',
        },
      ),
    wanted: { state: 'ticket', subject: 'Offer', text: /Buy it$/ },
  },
  {
    title: 'a forward in Outlook keeps what is forwarded',
    mail: (given) =>
      composed(
        given,
        plain(
          'Can you do this?\n\nFrom: Vendor <a@vendor.example>\nSent: Wednesday\nTo: Erin\nSubject: Offer\n\nBuy it',
        ),
        {
          Subject: 'FW: Offer',
        },
      ),
    wanted: { state: 'ticket', subject: 'Offer', text: /^Can you do this\?[^]*Buy it$/ },
  },
  {
    title: 'an invitation',
    mail: (given) =>
      composed(
        given,
        multipart('alternative', [
          plain('Please come'),
          { type: 'text/calendar; charset=utf-8; method=REQUEST', body: invitation('REQUEST') },
        ]),
        { Subject: 'Replace the printer' },
      ),
    wanted: { state: 'ticket', text: 'Please come', files: ['invite.ics'] },
  },
  {
    title: 'a reply to an invitation',
    mail: (given) =>
      composed(
        given,
        multipart('alternative', [
          plain(''),
          { type: 'text/calendar; charset=utf-8; method=REPLY', body: invitation('REPLY') },
        ]),
        { Subject: 'Accepted: Replace the printer' },
      ),
    wanted: { state: 'ignored', reason: /Invitation reply/ },
  },
  {
    title: 'an empty file',
    mail: (given) => composed(given, multipart('mixed', [plain('Help'), file('empty.log', '', 'text/plain')])),
    wanted: { state: 'ticket', text: 'Help', files: ['empty.log'] },
  },
  {
    title: 'a large file',
    mail: (given) => composed(given, multipart('mixed', [plain('Help'), encoded('dump.bin', LARGE)])),
    wanted: { state: 'ticket', text: 'Help', files: ['dump.bin'] },
  },
  {
    title: 'thirty files',
    mail: (given) =>
      composed(
        given,
        multipart('mixed', [plain('Help'), ...Array.from({ length: 30 }, (_, n) => file(`${n + 10}.txt`, 'x'))]),
      ),
    wanted: { state: 'ticket', files: Array.from({ length: 30 }, (_, n) => `${n + 10}.txt`) },
  },
  {
    title: 'a picture within the text, and a logo',
    mail: (given) =>
      composed(
        given,
        multipart('related', [
          html('<p>Look:</p><img src="cid:screen.png@part"><img src="cid:logo.png@part">'),
          encoded('screen.png', picture(40_000), 'image/png', 'inline'),
          encoded('logo.png', picture(2000), 'image/png', 'inline'),
        ]),
      ),
    wanted: { state: 'ticket', text: 'Look:', files: ['screen.png'] },
  },
  {
    title: 'a name and a file name that read backwards',
    mail: (given) =>
      composed(
        given,
        multipart('mixed', [
          plain('Help'),
          {
            type: 'application/octet-stream',
            headers: { 'Content-Disposition': `attachment; filename*=utf-8''report%E2%80%AEfdp.exe` },
            body: 'x',
          },
        ]),
        {
          From: `${word('Erin \u202Eelpmaxe\u202C\u0000')} <${given.me}>`,
          Subject: word('Printer \u202Eerif no\u202C'),
        },
      ),
    wanted: { state: 'ticket', from_name: 'Erin elpmaxe', subject: 'Printer erif no', files: ['reportfdp.exe'] },
  },
  {
    title: 'a mail of our own mailing list, which the mailbox is a member of',
    mail: (given) =>
      mailOf(
        given,
        {
          'List-Id': '<support.provider.example>',
          'List-Post': `<https://groups.example/>, <mailto:${given.to}>`,
          Precedence: 'list',
        },
        'Help',
      ),
    wanted: { state: 'ticket', text: 'Help' },
  },
];

const signs: readonly (readonly [title: string, headers: Headers, reason: RegExp])[] = [
  ['a mailing list', { 'List-Id': '<news.example>', 'List-Unsubscribe': '<https://news.example>' }, /Mailing list/],
  ['bulk mail', { Precedence: 'bulk' }, /Bulk/],
  ['a null sender', { 'Return-Path': '<>' }, /Mail server report/],
  ['an automatic mail', { 'Auto-Submitted': 'auto-generated' }, /Automated/],
  ['a vacation program', { 'X-Autoreply': 'yes' }, /Automated/],
  [
    'Exchange’s own reports',
    { 'X-Auto-Response-Suppress': 'All', 'Auto-Submitted': 'auto-generated (failure)' },
    /Automated/,
  ],
];

const others: readonly Form[] = [
  ...signs.flatMap(([title, headers, reason]): Form[] => [
    { title, mail: (given) => mailOf(given, headers, 'News'), wanted: { state: 'ignored', reason } },
    {
      title: `${title}, about a ticket`,
      mail: (given) => mailOf(given, { ...headers, References: given.ours }, 'News'),
      wanted: { state: 'note' },
    },
  ]),
  {
    title: 'several senders',
    mail: (given) => mailOf(given, { From: `${given.me}, boss@elsewhere.example` }, 'Help'),
    wanted: { state: 'review', reason: /several senders/ },
  },
  {
    title: 'several From headers',
    mail: (given) => mailOf(given, { From: [`boss@elsewhere.example`, given.me] }, 'Help'),
    wanted: { state: 'review', reason: /several senders/ },
  },
  {
    title: 'no sender',
    mail: (given) => mailOf(given, { From: undefined }, 'Help'),
    wanted: { state: 'review', reason: /no sender/ },
  },
  {
    title: 'a sender’s name that is an address',
    mail: (given) => mailOf(given, { From: `"${given.me}" <thief@elsewhere.example>` }, 'Help'),
    wanted: { state: 'review', reason: /thief@elsewhere\.example/ },
  },
  {
    title: 'somebody unknown who answers a ticket',
    mail: (given) => mailOf(given, { From: 'thief@elsewhere.example', 'In-Reply-To': given.ours }, 'Help'),
    wanted: { state: 'review', reason: /thief@elsewhere\.example/ },
  },
  {
    title: 'a delivery report about a ticket’s mail',
    mail: (given) => report(given, { From: 'MAILER-DAEMON@mx.example', 'Return-Path': '<>' }, given.ours),
    wanted: {
      state: 'note',
      reason: /^A mail could not be delivered to \S+@\S+: kept as an internal note$/,
      text: /^A mail could not be delivered to \S+@\S+: 552 5\.2\.2 mailbox full\n\nUndelivered Mail/,
      files: [],
    },
  },
  {
    title: 'a delivery report about something else',
    mail: (given) => report(given, { From: 'MAILER-DAEMON@mx.example' }, '<other@elsewhere.example>'),
    wanted: { state: 'ignored', reason: /^A mail that is not about a ticket could not be delivered to / },
  },
  {
    title: 'a read receipt',
    mail: (given) =>
      composed(
        given,
        multipart('report; report-type=disposition-notification', [
          plain('Your mail was read.'),
          {
            type: 'message/disposition-notification',
            body: `Original-Message-ID: ${given.ours}\nDisposition: manual-action; displayed`,
          },
        ]),
        { Subject: 'Read: Printer', 'In-Reply-To': given.ours },
      ),
    wanted: { state: 'ignored', reason: /read receipt/ },
  },
];

export const forms: readonly Form[] = [...replies, ...absences, ...requests, ...others];
