// Automatic replies by kind, as the sending programs write them.
export interface Automatic {
  readonly title: string;
  /** The local part of the sender's address. */
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Its subject; by default that of the mail it replies to. */
  readonly subject?: string;
  readonly body?: string;
  /** Whether it omits what it replies to. */
  readonly apart?: boolean;
  /** How many automatic mails we send it: one if nothing shows that it is a program. */
  readonly answers: 0 | 1;
}

const absences = [
  ['English', 'Automatic reply: Printer', 'I am away until Monday.'],
  ['German', 'Automatische Antwort: Drucker', 'Ich bin bis Montag nicht im Büro.'],
  ['French', 'Réponse automatique : Imprimante', 'Je suis absent jusqu’à lundi.'],
  ['Spanish', 'Respuesta automática: Impresora', 'Estaré fuera hasta el lunes.'],
  ['Italian', 'Risposta automatica: Stampante', 'Sono assente fino a lunedì.'],
  ['Dutch', 'Automatisch antwoord: Printer', 'Ik ben afwezig tot maandag.'],
  ['Portuguese', 'Resposta automática: Impressora', 'Estarei ausente até segunda-feira.'],
  ['Swedish', 'Autosvar: Skrivare', 'Jag är borta till måndag.'],
  ['Polish', 'Odpowiedź automatyczna: Drukarka', 'Wracam w poniedziałek.'],
  ['Japanese', '自動応答: プリンター', '月曜日まで不在です。'],
] as const;

const vacations: readonly Automatic[] = [
  ...absences.flatMap(([language, subject, body]): Automatic[] => [
    {
      title: `out of office, ${language}, Exchange`,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      subject,
      body,
      answers: 0,
    },
    { title: `out of office, ${language}, by the subject alone`, subject, body, apart: true, answers: 0 },
  ]),
  { title: 'Gmail’s vacation responder', headers: { Precedence: 'bulk', 'X-Autoreply': 'yes' }, answers: 0 },
  { title: 'a Sieve script', headers: { 'Auto-Submitted': 'auto-replied (vacation)' }, answers: 0 },
  { title: 'an autoresponder of cPanel', headers: { 'X-Autorespond': 'Printer' }, answers: 0 },
  { title: 'an autoresponder with a header of its own', headers: { 'X-Autoreply-From': 'erin' }, answers: 0 },
  { title: 'a filter that answers with a text', subject: 'We are closed', apart: true, answers: 1 },
];

const lists: readonly Automatic[] = [
  { title: 'Mailman', headers: { 'List-Id': '<users.example>', Precedence: 'list' }, answers: 0 },
  { title: 'Google Groups', headers: { 'List-ID': '<team.example>', 'X-Google-Group-Id': '12' }, answers: 0 },
  { title: 'Sympa', headers: { 'List-Help': '<mailto:sympa@example>', 'X-Loop': 'team@example' }, answers: 0 },
  { title: 'Majordomo', headers: { Precedence: 'bulk' }, answers: 0 },
  { title: 'a newsletter', headers: { 'List-Unsubscribe': '<https://news.example/out>' }, answers: 0 },
  { title: 'a list that names only its archive', headers: { 'List-Archive': '<https://list.example>' }, answers: 0 },
];

const report = (kind: string) => ({ 'Content-Type': `multipart/report; report-type=${kind}; boundary=b` });
const reported = '--b\nContent-Type: text/plain\n\nYour mail was not delivered.\n--b--';

const bounces: readonly Automatic[] = [
  { title: 'Postfix', from: 'MAILER-DAEMON', headers: report('delivery-status'), body: reported, answers: 0 },
  { title: 'Exchange’s report', from: 'postmaster', headers: report('delivery-status'), body: reported, answers: 0 },
  { title: 'Exim', from: 'Mailer-Daemon', headers: { 'Auto-Submitted': 'auto-replied' }, answers: 0 },
  { title: 'qmail', from: 'MAILER-DAEMON', headers: { 'Return-Path': '<>' }, apart: true, answers: 0 },
  { title: 'qmail without its envelope', from: 'MAILER-DAEMON', subject: 'failure notice', apart: true, answers: 0 },
  { title: 'a delay', from: 'postmaster', headers: report('delivery-status'), subject: 'Delayed', answers: 0 },
  { title: 'a read receipt', headers: report('disposition-notification'), body: reported, answers: 0 },
  { title: 'a filter that asks the sender to confirm', headers: { 'Auto-Submitted': 'auto-replied' }, answers: 0 },
];

const systems: readonly Automatic[] = [
  {
    title: 'Zendesk',
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    subject: '[Request received] Printer',
    answers: 0,
  },
  { title: 'Jira', headers: { 'Auto-Submitted': 'auto-generated', 'X-JIRA-FingerPrint': '1f' }, answers: 0 },
  { title: 'ServiceNow', headers: { 'X-ServiceNow-Generated': 'true', Precedence: 'bulk' }, answers: 0 },
  { title: 'OTRS', headers: { Precedence: 'bulk', 'X-Powered-By': 'OTRS' }, subject: '[Ticket#2026] RE:', answers: 0 },
  { title: 'Request Tracker', headers: { Precedence: 'bulk', 'X-RT-Loop-Prevention': 'rt' }, answers: 0 },
  { title: 'osTicket', headers: { 'X-Autoreply': 'true', 'Auto-Submitted': 'auto-replied' }, answers: 0 },
  { title: 'GLPI', headers: { 'Auto-Submitted': 'auto-generated' }, subject: '[GLPI #0000012]', answers: 0 },
  {
    title: 'a system whose provider keeps only Microsoft’s header',
    headers: { 'X-Auto-Response-Suppress': 'DR, RN, NRN, OOF, AutoReply' },
    subject: 'We received your request',
    apart: true,
    answers: 0,
  },
  { title: 'a system that takes no answers', from: 'no-reply', subject: 'Case 12', apart: true, answers: 0 },
  { title: 'a system in German that takes no answers', from: 'nicht-antworten', apart: true, answers: 0 },
  { title: 'a system without any sign', subject: 'We received your request', apart: true, answers: 1 },
  { title: 'a system without any sign that numbers its cases', subject: '[#4711] Printer', apart: true, answers: 1 },
  { title: 'a system that answers in the conversation', subject: 'Re: Printer', answers: 1 },
];

const devices: readonly Automatic[] = [
  { title: 'cron', from: 'root', headers: { 'Auto-Submitted': 'auto-generated' }, apart: true, answers: 0 },
  { title: 'a printer', from: 'scanner', subject: 'Toner low', apart: true, answers: 1 },
  { title: 'an old monitoring', from: 'nagios', subject: '** PROBLEM alert **', apart: true, answers: 1 },
  { title: 'a fax server', from: 'fax', headers: { Precedence: 'junk' }, apart: true, answers: 0 },
];

export const automaticMails: readonly Automatic[] = [...vacations, ...lists, ...bounces, ...systems, ...devices];
