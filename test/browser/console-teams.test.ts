// A team in the console: a ticket is assigned to its technician, and an escalation at night is acknowledged from the
// mail.
import { plus } from '@keelson/core';
import { createMember, createStep, createTeam } from '@keelson/modules/teams';
import { createTicket } from '@keelson/modules/tickets';
import { readMails } from '@keelson/testing';
import anyTest from 'ava';
import { asStaff, axe, openDesk, sideways, visit, type Desk } from './_desk.ts';
import { browserPath } from './_website.ts';

const path = browserPath();
const test = path === undefined ? anyTest.serial.skip : anyTest.serial;
let desk: Desk;

if (path !== undefined) {
  anyTest.before(async () => {
    desk = await openDesk(path);
  });
  anyTest.after.always(() => desk?.close());
}

test('a dispatcher assigns a ticket to a team, whose rule picks the member', async (t) => {
  const { app, made } = desk;
  const { user_id, name } = made.staff.technician;
  const company_number = made.customers[0]?.company.company_number ?? 0;
  const { ticket_number } = await app.run(async (ctx) => {
    const { team_id } = await createTeam(ctx, { name: 'Printing', assignment: 'round_robin' });
    await createMember(ctx, { team_id, user_id, skills: [] });
    return createTicket(ctx, { company_number, subject: 'Paper jam' });
  });
  const { page, complaints, context } = await asStaff(desk, made.staff.administrator);
  await visit(page, `${app.url}/admin/tickets/${ticket_number}`);
  complaints.splice(0);
  await page.getByRole('button', { name: 'Change team' }).click();
  await page.getByRole('combobox', { name: 'Team' }).selectOption({ label: 'Printing' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Change team' }).waitFor();
  await app.app.outbox.drain();
  await page.reload();
  await page.getByText('assigned by turn in team Printing').waitFor();
  t.true(
    await page
      .getByRole('button', { name: new RegExp(name) })
      .first()
      .isVisible(),
  );
  t.deepEqual(await axe(page), []);
  t.deepEqual(complaints, []);
  await context.close();
});

test('an escalation at night is acknowledged on a phone, with the link from its mail', async (t) => {
  const { app, made } = desk;
  const { user_id, email } = made.staff.technician;
  const company_number = made.customers[0]?.company.company_number ?? 0;
  const { team_id } = await app.run(async (ctx) => {
    const team = await createTeam(ctx, { name: 'Nights', escalate_priority: 1 });
    await createMember(ctx, { team_id: team.team_id, user_id, skills: [] });
    await createStep(ctx, { team_id: team.team_id, after_minutes: 0, notify: 'technician', user_id });
    await createStep(ctx, { team_id: team.team_id, after_minutes: 10, notify: 'team' });
    return team;
  });
  const { ticket_number } = await app.run((ctx) =>
    createTicket(ctx, { company_number, subject: 'Nothing answers', priority: 1, team_id, assigned_to: user_id }),
  );
  const pass = async (minutes: number) => {
    app.clock.set(plus(app.clock.now(), { minutes }));
    await app.app.outbox.drain();
    await app.app.scheduler.runNow('teams.escalate');
    await app.app.outbox.drain();
  };
  await pass(0);
  const escalations = async () =>
    (await readMails(app)).filter((each) => each.to === email && each.text.includes('Nothing answers'));
  const [mail] = (await escalations()).filter((each) => each.text.includes('/escalation?'));
  const link = /http\S+\/escalation\?token=\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  t.true(link.startsWith(app.app.config.baseUrl));

  // The technician's phone is not signed in.
  const context = await desk.browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  const page = await context.newPage();
  await page.goto(link.replace(app.app.config.baseUrl, app.url));
  await page.getByRole('heading', { name: 'Acknowledge escalation' }).waitFor();
  t.deepEqual(await axe(page), []);
  t.true((await sideways(page)) <= 0);
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByRole('heading', { name: 'Escalation acknowledged' }).waitFor();
  await context.close();

  const before = (await escalations()).length;
  await pass(30);
  t.is((await escalations()).length, before, 'nobody else is woken');
  const staff = await asStaff(desk, made.staff.administrator);
  await visit(staff.page, `${app.url}/admin/tickets/${ticket_number}`);
  await staff.page.getByRole('button', { name: 'More' }).click();
  await staff.page.getByRole('menuitem', { name: 'History' }).click();
  await staff.page.getByText('Escalation acknowledged').waitFor();
  await staff.context.close();
});
