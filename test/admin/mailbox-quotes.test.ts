// What remains of a reply without the mail that it quotes.
import test from 'ava';
import { parseMail } from '../../modules/mailbox/parse.ts';
import { withoutQuote } from '../../modules/mailbox/quote.ts';

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
