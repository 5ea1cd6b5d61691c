import { translator } from '@keelson/words';
import { explainer } from '@keelson/words/explanations';
import test from 'ava';

const german = {
  'is required': 'ist ein Pflichtfeld',
  'must be between {least} and {most}': 'muss zwischen {least} und {most} liegen',
  'Reply to the ticket': 'Antwort auf das Ticket',
  'it asks not to receive automatic replies': 'die E-Mail bittet um keine automatische Antwort',
  '{reason}, not confirmed: {unanswered}': '{reason}, nicht bestätigt: {unanswered}',
  '{customer} is inactive.': '{customer} ist inaktiv.',
  'The domain {name} expires on {day}': 'Die Domain {name} läuft am {day} ab',
  'must be at most {value}, the balance due': 'darf höchstens {value} betragen, den offenen Betrag',
  'Ticket {name} created': 'Ticket {name} erstellt',
  'Ticket template {name} created': 'Ticketvorlage {name} erstellt',
};
const explain = explainer(
  Object.keys(german),
  translator('de', (key) => (german as Readonly<Partial<Record<string, string>>>)[key]).t,
  { day: (day) => `<${day}>`, amount: (amount, currency) => `${amount} <${currency}>` },
);

const says = (title: string, english: string, expected: string) => test(title, (t) => t.is(explain(english), expected));

says('phrases keep the name of their field', 'subject is required', 'subject ist ein Pflichtfeld');
says(
  'several errors are translated one by one',
  'subject is required; priority must be between 1 and 5',
  'subject ist ein Pflichtfeld; priority muss zwischen 1 und 5 liegen',
);
says(
  'a value that is itself a reason is translated',
  'Reply to the ticket, not confirmed: it asks not to receive automatic replies',
  'Antwort auf das Ticket, nicht bestätigt: die E-Mail bittet um keine automatische Antwort',
);
says(
  'several sentences are translated one by one',
  'Acme is inactive. Beta is inactive.',
  'Acme ist inaktiv. Beta ist inaktiv.',
);
says('the longer of two matching messages is used', 'Ticket template Router created', 'Ticketvorlage Router erstellt');
says('a name that is a word of a message stays as it is', 'Ticket Reply created', 'Ticket Reply erstellt');
says('unknown text stays as it is', '550 5.1.1 User unknown', '550 5.1.1 User unknown');
says(
  'a value that is a date is written in the language',
  'The domain acme.example expires on 2 Mar 2026',
  'Die Domain acme.example läuft am <2 Mar 2026> ab',
);
says(
  'a value that is an amount is written in the language',
  'amount must be at most USD\u00a01,234.50, the balance due',
  'amount darf höchstens 1234.5 <USD> betragen, den offenen Betrag',
);
