// What remains of a reply without the mail that it quotes.
import test from 'ava';
import { parseMail } from '../../modules/mailbox/parse/parse.ts';
import { withoutQuote } from '../../modules/mailbox/parse/quote.ts';

const ON = 'On Mon, Mar 2, 2026 at 9:00 AM Support <support@provider.example> wrote:';

test('answers between or below quoted lines are kept with them', (t) => {
  const between = `See below.\n\n${ON}\n\n> Is it on?\nYes, it is.\n> Is it plugged in?\n\nNo!`;
  t.is(withoutQuote(between), between);
  const below = `Hello\n\n${ON}\n> Is it on?\n\nYes, it is.`;
  t.is(withoutQuote(below), below);
  t.is(withoutQuote(`${between}\n\n> Regards\n> Support\n`), between, 'without what is quoted at the end');
});

test('what mail programs add below a quotation is no answer', (t) => {
  const long = 'a quoted line of a mail that is so long that a mail server wraps it';
  t.is(withoutQuote(`Thanks\n\n${ON}\n\n> ${long} onto\nthe next line\n> and on`), 'Thanks');
  t.is(withoutQuote(`Thanks\n\n${ON}\n> Hello\n\n-- \nErin Example\nExample Ltd`), 'Thanks');
  t.is(withoutQuote(`Thanks\n\n${ON}\n> Hello\n>\n>> Older\n`), 'Thanks');
});

test('replies are cut at our own line, whatever the mail program writes above it', (t) => {
  const line = '##- Bitte antworten Sie oberhalb dieser Zeile -##';
  t.is(withoutQuote(`Danke\n\nProgramm XY, Support:\n\n${line}\n\nGuten Tag Erin`), 'Danke');
  t.is(withoutQuote(`Danke\n\n> ${line}\n>\n> Guten Tag`), 'Danke');
  t.is(withoutQuote(`Danke.\nErin\n\n*${line}*\n\nGuten Tag`), 'Danke.\nErin');
  t.is(
    withoutQuote(`These are broken:\n- one\n- two\n\n${ON}\n\n> ${line}\n> Hello`),
    'These are broken:\n- one\n- two',
  );
  t.is(withoutQuote(`> ${line}\n> Is it on?\nYes.\n> Really?`), '> Is it on?\nYes.', 'answers within');
  t.is(withoutQuote(`${line}\n\nHello Erin\n\nMy answer`), 'Hello Erin\n\nMy answer', 'nothing is above it');
});

test('Outlook in French, with no-break spaces', (t) => {
  const lines = 'De\u00a0: Support <a@b.example>\nEnvoyé\u00a0: lundi\nÀ\u00a0: Erin\nObjet\u202f: RE: Printer';
  t.is(withoutQuote(`Merci\n\n${lines}\n\nBonjour`), 'Merci');
});

test('a reply of only files has no text', async (t) => {
  const file = '--b\nContent-Type: image/png\nContent-Disposition: attachment; filename=a.png\n\nx\n--b--';
  const headers = ['Subject: Re: Printer', 'Content-Type: multipart/mixed; boundary=b'];
  const replied = (text: string) => textOf(headers, `--b\nContent-Type: text/plain\n\n${text}\n${file}`);
  const line = '##- Please reply above this line -##';
  t.is(await replied(`\n${ON}\n\n> Hello\n> Is it on?`), '');
  const outlook = 'From: Support <a@b.example>\nSent: Monday\nTo: Erin\nSubject: Printer\n\n';
  t.is(await replied(`\n${outlook}${line}\n\nHello`), '');
  t.is(await replied(`\n${outlook}Hello`), `${outlook}Hello`, 'the answer may be below');
  t.is(await replied('See the picture.'), 'See the picture.');
});

test('overrides of the writing direction are removed', async (t) => {
  const body = Buffer.from('See inv\u202egnp.exe, \u2067שלום\u2069').toString('base64');
  const headers = ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: base64'];
  t.is(await textOf(headers, body), 'See invgnp.exe, \u2067שלום\u2069');
});

test('a mail with our own line is a reply', async (t) => {
  const body = 'Thanks\n\nFrom the desk of Support:\n\n##- Please reply above this line -##\n\nHello Erin';
  t.is(await textOf(['Subject: Printer'], body), 'Thanks');
});

test('an attribution may take three lines', (t) => {
  const lines =
    'On Mon, Mar 2, 2026 at 9:00 AM The Support Team With A Long Name\nOf Example Services\n<a@b.example> wrote:';
  t.is(withoutQuote(`Thanks\n\n${lines}\n\n> Hello`), 'Thanks');
});

const headers: Readonly<Record<string, string>> = {
  Slovenian: 'Od: Support <a@b.example>\nPoslano: ponedeljek, 2. marec 2026 09:00\nZa: Erin\nZadeva: Printer',
  Bulgarian: 'От: Support <a@b.example>\nИзпратено: понеделник\nДо: Erin\nОтносно: Printer',
  Estonian: 'Saatja: Support <a@b.example>\nSaadetud: esmaspäev\nAdressaat: Erin\nTeema: Printer',
  Lithuanian: 'Nuo: Support <a@b.example>\nIšsiųsta: pirmadienis\nKam: Erin\nTema: Printer',
  Latvian: 'No: Support <a@b.example>\nNosūtīts: pirmdiena\nKam: Erin\nTēma: Printer',
  Catalan: 'De: Support <a@b.example>\nEnviat el: dilluns\nPer a: Erin\nAssumpte: Printer',
  Hebrew: 'מאת: Support <a@b.example>\nנשלח: יום שני\nאל: Erin\nנושא: Printer',
  Arabic: 'من: Support <a@b.example>\nتم الإرسال: الاثنين\nإلى: Erin\nالموضوع: Printer',
};

for (const [language, lines] of Object.entries(headers))
  test(`Outlook in ${language}`, (t) => {
    t.is(withoutQuote(`Thanks\n\n${lines}\n\nHello`), 'Thanks');
  });

const receiving = { address: 's@p.example', aliases: null, authserv_id: '', sign_in: 'password' } as const;

test('out-of-office replies without headers are recognised by their subject', async (t) => {
  const subjects = ['OTOMATIK YANIT', 'Samodejni odgovor', 'Automaatvastus', 'Automātiska atbilde'];
  const more = ['Automatinis atsakymas', 'Réponse d’absence', 'Abwesend bis Montag', 'תשובה אוטומטית', 'رد تلقائي'];
  for (const subject of [...subjects, ...more]) {
    const coded = Buffer.from(`${subject}: Printer`).toString('base64');
    const raw = `From: Erin <a@b.example>\r\nSubject: =?utf-8?B?${coded}?=\r\n\r\nI am away.\r\n`;
    const mail = await parseMail(Buffer.from(raw), receiving);
    t.is(mail.automatic, 'away', subject);
  }
});

const textOf = async (headers: readonly string[], body: string) => {
  const raw = [`From: Erin <a@b.example>`, ...headers, '', body.replaceAll('\n', '\r\n'), ''].join('\r\n');
  return (await parseMail(Buffer.from(raw), receiving)).text;
};

const wholes = [
  [
    'a header of a phishing mail',
    'Is this real?\n\nFrom: Boss <boss@evil.example>\nSubject: Urgent\nDate: today\n\nPay now.',
  ],
  ['an attribution', `My mail program shows\n\n${ON}\n\nabove every mail.`],
  ['quoted lines', `The log says\n\n> disk full\n> disk full`],
  ['a line of Outlook', 'The form ends with\n\n-----Original Message-----\nand nothing else.'],
] as const;
for (const [title, body] of wholes)
  test(`a new request is kept whole: ${title}`, async (t) => {
    t.is(await textOf(['Subject: Printer'], body), body);
    const [own = ''] = body.split('\n');
    t.is(await textOf(['Subject: Printer', 'In-Reply-To: <x@y.example>'], body), own, 'a reply is cut');
    t.is(await textOf(['Subject: AW: Printer'], body), own);
    t.is(await textOf(['Subject: [#12] Printer'], body), own);
  });

for (const [title, line] of [
  ['Zoho Mail', '---- On Wed, 25 Nov 2026 10:00:00 +0100 Support <support@provider.example> wrote ----'],
  ['Zoho Mail, newer', '---- On Wed, 25 Nov 2026 10:00:00 +0100 support@provider.example wrote ---'],
  ['Zoho Mail, German', '---- Am Mi., 25 Nov. 2026 10:00:00 +0100 Support <support@provider.example> schrieb ----'],
  ['Zoho Mail, wrapped', '---- On Wed, 25 Nov 2026 10:00:00 +0100\nSupport <support@provider.example> wrote ----'],
  ['GroupWise', '>>> Support <support@provider.example> 25.11.2026 10:00 >>>'],
  ['GroupWise, with quotes', '>>> "Support" <support@provider.example> 11/25/26 10:00 AM >>>'],
  ['GroupWise, a name alone', '>>> Support 25.11.26 10.00 Uhr >>>'],
  [
    'GroupWise, newer',
    '>>> On 11/25/2026 at 10:00 AM, in message <6A@provider.example>, Support <support@provider.example> wrote:',
  ],
] as const)
  test(`a quotation of ${title}`, (t) => {
    t.is(withoutQuote(`Thanks\n\n${line}\n\nIs it on?\nYour support`), 'Thanks');
    t.is(withoutQuote(`Thanks\n\n${line}\n> Is it on?\n`), 'Thanks');
  });

test('lines that only resemble a quotation stay', (t) => {
  for (const body of ['Choose File\n>>> Options >>>\nand wait', 'It says\n---- all is lost ----\nagain'])
    t.is(withoutQuote(body), body);
});
