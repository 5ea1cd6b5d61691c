// Mails to technicians about their tickets, and their replies to these mails.
import { Mail } from '@keelson/core/system';
import { readComments } from '@keelson/modules/tickets';
import { readMails, startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedEmployee, seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { asEmployee, seedTicket } from '../tickets-seed.ts';
import { addSilentMailbox, receiveMail } from './_received-mail.ts';

const HOST = 'mx.provider.example';
const MAILBOX = 'support@provider.example';

/** A technician who wants certain mails. */
async function reader(app: TestApp, mails?: string) {
  const technician = await seedTechnician(app, 'technician');
  const cookie = await signInOnPage(app, technician);
  const ask = (method: string, path: string, body?: unknown) =>
    app.request(method, `/admin/api/v1${path}`, { cookie, ...(body !== undefined && { body }) });
  if (mails !== undefined) await ask('PUT', '/preferences.php', { mails });
  return { ...technician, ask };
}

const newsTo = async (app: TestApp, { email }: { readonly email: string }) => {
  await app.app.outbox.drain();
  return (await readMails(app)).filter(({ to, template }) => to === email && template === 'ticket_technician');
};

const lineOf = ({ text }: { readonly text: string }) => text.split('\n').slice(2, 5).join('|');

test('technicians are mailed what they choose: nothing, their own tickets, or also new unassigned ones', async (t) => {
  const app = await startApp(t);
  const [none, own, all] = [await reader(app), await reader(app, 'own'), await reader(app, 'unassigned')];
  const employee = await seedEmployee(app, { can_create_tickets: true });
  const customer = await asEmployee(app, employee);
  const { ticket_id } = (await customer('POST', '/tickets', { subject: 'Printer', description: 'On fire' })).body;
  t.deepEqual((await newsTo(app, own)).map(lineOf), []);
  t.deepEqual((await newsTo(app, all)).map(lineOf), ['Nobody is assigned to this new ticket:||On fire']);
  const ticket = `/tickets.php?id=${ticket_id}`;
  await all.ask('PUT', ticket, { assigned_to: all.user_id });
  t.is((await newsTo(app, all)).length, 1, 'one’s own doing is no news');
  await all.ask('PUT', ticket, { assigned_to: own.user_id });
  await customer('POST', `/tickets/${ticket_id}/comments`, { comment: 'Hello?' });
  t.deepEqual((await newsTo(app, own)).map(lineOf).toSorted(), [
    'Erin Example replied:||Hello?',
    `${all.name} assigned this ticket to you:||On fire`,
  ]);
  const [mail] = await newsTo(app, own);
  t.false(mail?.text.includes('Reply to this mail'), 'nothing receives replies');
  await all.ask('PUT', ticket, { assigned_to: none.user_id });
  await customer('POST', `/tickets/${ticket_id}/comments`, { comment: 'Anybody?' });
  t.deepEqual([(await newsTo(app, none)).length, (await newsTo(app, own)).length], [0, 2]);
});

test('a technician’s reply to such a mail goes to the customer, unless it is forged or marked as a note', async (t) => {
  const app = await startApp(t);
  const mailbox_id = await addSilentMailbox(app, { address: MAILBOX, authserv_id: HOST });
  const technician = await reader(app, 'own');
  const { company_number, employee_number, email } = await seedEmployee(app);
  const { ticket_id } = await seedTicket(app, { company_number, employee_number });
  const colleague = await reader(app);
  await colleague.ask('PUT', `/tickets.php?id=${ticket_id}`, { assigned_to: technician.user_id });
  const [mail] = await newsTo(app, technician);
  t.regex(mail?.text ?? '', /Reply to this mail to answer the customer\. Begin with #note for an internal note\./);
  const sent = await app.run((ctx) => ctx.db.findOneBy(Mail, { recipient_address: technician.email }));
  const reply = (count: number, body: string, verified = true) =>
    receiveMail(app, {
      mailbox_id,
      message_id: `<tech-${count}@provider.example>`,
      headers: [
        `From: ${technician.email}`,
        `To: ${MAILBOX}`,
        'Subject: Re: Printer',
        `In-Reply-To: <${sent?.mail_id}@provider.example>`,
        ...(verified ? [`Authentication-Results: ${HOST}; dmarc=pass`] : []),
      ],
      body,
    });
  t.is((await reply(1, 'Forged?', false)).state, 'note');
  t.is((await reply(2, '#note Ask Ben.')).state, 'note');
  t.is((await reply(3, 'It is mended.')).state, 'comment');
  const comments = (await app.run((ctx) => readComments(ctx, ticket_id))).filter(({ is_internal }) => !is_internal);
  t.deepEqual(
    comments.map(({ comment }) => comment),
    ['It is mended.'],
  );
  await app.app.outbox.drain();
  const told = (await readMails(app)).filter(({ to, template }) => to === email && template === 'ticket_comment');
  t.is(told.length, 1);
  t.regex(told[0]?.text ?? '', /It is mended\./);
});
