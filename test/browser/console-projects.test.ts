/// <reference lib="dom" />
// A project in the console from its first phase to its end, and the boards of projects and opportunities.
import { create } from '@keelson/core';
import { createOpportunity } from '@keelson/modules/crm';
import { createMilestone, Milestone, Project, Projects, PunchItem, submitMilestone } from '@keelson/modules/projects';
import anyTest, { type ExecutionContext } from 'ava';
import type { Locator, Page } from 'playwright-core';
import { In } from 'typeorm';
import { Opportunity } from '../../modules/crm/opportunities/entities.ts';
import { Prospects } from '../../modules/crm/prospects/prospects.ts';
import { ProjectPhase } from '../../modules/projects/entities.ts';
import { requestInfo } from '../../modules/projects/milestones/milestone-moves.ts';
import { createPhase } from '../../modules/projects/projects/phases.ts';
import { PunchItems } from '../../modules/projects/punch-list/punch-items.ts';
import { asCustomer, asStaff, axe, openDesk, step, visit, type Desk } from './_desk.ts';
import { intercept } from './_intercept.ts';
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

const phase = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

async function clean(t: ExecutionContext, page: Page, complaints: readonly string[]): Promise<void> {
  t.deepEqual(await axe(page), []);
  t.deepEqual(complaints, []);
}

test('a project is planned, advanced and completed without leaving its page', async (t) => {
  const company_number = desk.made.customers[0]?.company.company_number ?? 0;
  const { project_id } = await desk.app.run((ctx) => create(ctx, Projects, { company_number, name: 'New branch' }));
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/projects/${project_id}`);
  // The next phase is typed while the first one is stored.
  const { promise: typed, resolve: go } = Promise.withResolvers<void>();
  await intercept(page, /action=phases/, async (route) => {
    await typed;
    return route.continue();
  });
  const adding = page.getByLabel('Add phase');
  await adding.fill('Plan');
  await page.keyboard.press('Enter');
  await adding.fill('Build');
  go();
  await phase(page, 'Plan').waitFor();
  await page.getByRole('button', { name: 'Add', exact: true }).last().click();
  await phase(page, 'Build').waitFor();
  await phase(page, 'Plan').getByLabel('Add milestone').fill('Cabling');
  await page.keyboard.press('Enter');
  await phase(page, 'Plan').getByText('Cabling').first().waitFor();

  // By keyboard: the handle of a milestone moves it to the next phase, that of a phase to the next position.
  await page.getByRole('button', { name: 'Move Cabling' }).focus();
  await page.keyboard.press('ArrowDown');
  await phase(page, 'Build').getByText('Cabling').first().waitFor();
  await page.getByRole('status').getByText('Moved Cabling to Build').waitFor();
  await page.getByRole('button', { name: 'Move Build' }).focus();
  await page.keyboard.press('ArrowUp');
  await page.getByRole('status').getByText('Moved Build', { exact: true }).waitFor();
  t.deepEqual(await page.locator('.phase h2').allTextContents(), ['Build', 'Plan']);

  // By mouse, and undone.
  await page.getByRole('button', { name: 'Move Cabling' }).dragTo(phase(page, 'Plan'));
  const moved = page.locator('.toast').filter({ hasText: 'Moved Cabling to Plan' });
  await moved.getByRole('button', { name: 'Undo' }).click();
  await phase(page, 'Build').getByText('Cabling').first().waitFor();

  await page.getByRole('button', { name: 'Edit Cabling' }).click();
  await page.getByLabel('Due').last().fill('2027-03-01');
  await page.getByLabel('Amount').fill('1200');
  await page.keyboard.press('Enter');
  await phase(page, 'Build').getByText('$1,200.00').waitFor();
  await page.getByRole('button', { name: 'Submit Cabling' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Submit for approval' }).click();
  await phase(page, 'Build').getByText('Waiting for approval').waitFor();
  await clean(t, page, complaints);

  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByText(/Today, /).waitFor();
  await clean(t, page, complaints);

  await page.getByRole('tab', { name: /^Punch list/ }).click();
  await page.getByLabel('Add item').fill('The door scratches');
  await page.keyboard.press('Enter');
  const { name } = desk.made.staff.technician;
  await page.getByRole('button', { name: 'Change assignee' }).click();
  await page.getByRole('combobox', { name: 'Assignee' }).fill(name.slice(0, 4));
  await page.getByRole('option', { name }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  // While the form closes, the name is in it, too.
  await page.getByRole('tabpanel').getByText(name, { exact: true }).last().waitFor();
  for (const act of ['Start', 'Mark ready', 'Close'])
    await page.getByRole('button', { name: `${act} The door scratches` }).click();
  await page.getByText('No open items.').waitFor();
  await clean(t, page, complaints);

  await page.getByRole('button', { name: 'Complete' }).click();
  await page.getByText('1 milestone is not approved.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Complete' }).click();
  await page
    .getByRole('button', { name: /^Status/ })
    .getByText('Completed')
    .waitFor();
  const [project, milestone, item] = await desk.app.run(({ db }) =>
    Promise.all([
      db.findOneBy(Project, { project_id }),
      db.findOneBy(Milestone, { project_id }),
      db.findOneBy(PunchItem, { project_id }),
    ]),
  );
  t.is(project?.status, 'completed');
  t.like(milestone, { status: 'pending_approval', due_date: '2027-03-01' });
  t.like(item, { status: 'closed', assigned_to: name });
  await context.close();
});

test('a milestone and a phase keep what a colleague changes while they are edited', async (t) => {
  const company_number = desk.made.customers[0]?.company.company_number ?? 0;
  const { project_id, milestone_id, phase_id } = await desk.app.run(async (ctx) => {
    const project = await create(ctx, Projects, { company_number, name: 'New cellar' });
    const dates = { start_date: '2027-01-01', due_date: '2027-02-01' };
    const { phase_id: id } = await createPhase(ctx, project, { name: 'Build', ...dates });
    const milestone = await createMilestone(ctx, project, { name: 'Cabling', due_date: '2027-01-15', amount: 120_000 });
    return { ...milestone, phase_id: id };
  });
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/projects/${project_id}`);
  await page.getByRole('button', { name: 'Edit Cabling' }).click();
  await page.getByLabel('Name').fill('Cables');
  // Directly, so that the page is not told.
  const agreed = { due_date: '2027-01-31', amount_minor: 150_000, description: 'Two floors' };
  await desk.app.run((ctx) => ctx.db.update(Milestone, { milestone_id }, agreed));
  await page.keyboard.press('Enter');
  await page.getByText('Cables').first().waitFor();
  await page.getByText('$150.00').waitFor();
  await page.getByRole('button', { name: 'Edit Build' }).click();
  await page.getByLabel('Name').fill('Building');
  await desk.app.run((ctx) => ctx.db.update(ProjectPhase, { phase_id }, { due_date: '2027-02-28' }));
  await page.keyboard.press('Enter');
  await phase(page, 'Building').waitFor();
  const [milestone, stored] = await desk.app.run(({ db }) =>
    Promise.all([db.findOneBy(Milestone, { milestone_id }), db.findOneBy(ProjectPhase, { phase_id })]),
  );
  t.like(milestone, { name: 'Cables', ...agreed });
  t.like(stored, { name: 'Building', start_date: '2027-01-01', due_date: '2027-02-28' });
  t.deepEqual(complaints, []);
  await context.close();
});

test('a manager can decide on a milestone before their question is answered, but not ask another one', async (t) => {
  const customer = desk.made.customers[0];
  const company_number = customer?.company.company_number ?? 0;
  const project_id = await desk.app.run(async (ctx) => {
    const made = await create(ctx, Projects, { name: 'Second floor', company_number });
    const milestone = await createMilestone(ctx, made, { name: 'Sockets' });
    await requestInfo(ctx, await submitMilestone(ctx, milestone), 'Which rooms?');
    return made.project_id;
  });
  if (!customer) return t.fail();
  const { page, complaints, context } = await asCustomer(desk, customer.manager);
  await visit(page, `${desk.app.url}/helpdesk`);
  const waiting = page.locator('li').filter({ hasText: 'Sockets' });
  await waiting.getByText('Question asked').waitFor();
  t.is(await waiting.getByRole('button', { name: /^Ask/ }).count(), 0);
  await visit(page, `${desk.app.url}/helpdesk/projects/${project_id}`);
  await page.getByText('Question asked').waitFor();
  await page.getByText('Which rooms?').waitFor();
  await page.getByRole('button', { name: 'Approve Sockets' }).click();
  await page.getByText('Approved', { exact: true }).waitFor();
  t.is((await desk.app.run(({ db }) => db.findOneBy(Milestone, { project_id })))?.status, 'approved');
  t.deepEqual(complaints, []);
  await context.close();
});

test('on a phone the details of a milestone break between each other, not within dates and names', async (t) => {
  const [milestone] = await desk.app.run((ctx) => ctx.db.find(Milestone, { take: 1 }));
  const { page, context } = await asStaff(desk, desk.made.staff.technician, {
    viewport: { width: 390, height: 844 },
    locale: 'de-DE',
  });
  await visit(page, `${desk.app.url}/admin/projects/${milestone?.project_id}`);
  await page.locator('.line-about').first().waitFor();
  const broken = await page.locator('.line-about > *').evaluateAll((parts) =>
    parts.flatMap((part) => {
      const range = document.createRange();
      range.selectNodeContents(part);
      const lines = [...range.getClientRects()];
      const width = lines.reduce((sum, each) => sum + each.width, 0);
      const fits = width <= (part.parentElement?.clientWidth ?? 0);
      return fits && new Set(lines.map(({ top }) => Math.round(top))).size > 1 ? [part.textContent] : [];
    }),
  );
  t.deepEqual(broken, []);
  await context.close();
});

test('projects are moved on the board by keyboard, mouse and menu, and the move is undone', async (t) => {
  const company_number = desk.made.customers[0]?.company.company_number ?? 0;
  const { project_id } = await desk.app.run((ctx) => create(ctx, Projects, { company_number, name: 'Board trial' }));
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/projects/board`);
  const column = (name: string) => page.getByRole('region', { name, exact: true });
  const card = (name: string) => column(name).getByRole('link', { name: 'Board trial' });
  const state = () => desk.app.run(async ({ db }) => (await db.findOneBy(Project, { project_id }))?.status);
  await card('Planning').focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.getByRole('status').getByText('Active: Board trial').waitFor();
  t.is(await state(), 'active');
  t.true(await card('Active').evaluate((link) => link === document.activeElement), 'the moved card keeps the focus');
  await card('Active').dragTo(column('On hold'));
  const held = page.locator('.toast').filter({ hasText: 'On hold: Board trial' });
  await held.getByRole('button', { name: 'Undo' }).click();
  await card('Active').waitFor();
  await page.getByRole('button', { name: 'Move Board trial' }).click();
  await page.getByRole('menuitem', { name: 'Completed' }).click();
  await page.getByRole('status').getByText('Completed: Board trial').waitFor();
  t.is(await state(), 'completed');
  await clean(t, page, complaints);
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByText(/Today, /).waitFor();
  await clean(t, page, complaints);
  await context.close();
});

test('an opportunity is moved between stages by keyboard, updates the sums immediately, and is moved back', async (t) => {
  const opportunity = await desk.app.run((ctx) => ctx.db.findOneBy(Opportunity, { stage: 'proposal', status: 'open' }));
  if (!opportunity) throw new Error('The demo has a proposal');
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/opportunities/board`);
  const column = (name: string) => page.getByRole('region', { name, exact: true });
  const card = (name: string) => column(name).getByRole('link', { name: opportunity.name });
  const sum = await column('Proposal').locator('.stage-value').textContent();
  // The board shows a change before the server has stored it.
  const stored = () => page.waitForResponse((response) => response.request().method() === 'PUT');
  await card('Proposal').focus();
  const moved = stored();
  await page.keyboard.press('Shift+ArrowRight');
  await page.getByRole('status').getByText(`Negotiation: ${opportunity.name}`).waitFor();
  await card('Negotiation').waitFor();
  t.is(await column('Proposal').locator('.stage-value').count(), 0);
  await moved;
  const undone = stored();
  await page.getByRole('button', { name: 'Undo' }).click();
  await card('Proposal').waitFor();
  await column('Proposal')
    .getByText(sum ?? '')
    .first()
    .waitFor();
  await undone;
  const now = await desk.app.run((ctx) =>
    ctx.db.findOneBy(Opportunity, { opportunity_id: opportunity.opportunity_id }),
  );
  t.like(now, { stage: opportunity.stage, status: 'open', probability: opportunity.probability });
  await clean(t, page, complaints);
  await context.close();
});

test('a refused move goes back while another card is moved, and moves of a card are stored in order', async (t) => {
  const titles = { discovery: 'Discovery', proposal: 'Proposal', negotiation: 'Negotiation' };
  const names = { refused: 'Cameras for the yard', moved: 'Phones for the shop' };
  for (const name of Object.values(names))
    await desk.app.run((ctx) => createOpportunity(ctx, { name, value: 900, stage: 'discovery' }));
  const { page, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/opportunities/board`);
  const card = (name: string, stage: keyof typeof titles) =>
    page.getByRole('region', { name: titles[stage], exact: true }).getByRole('link', { name, exact: true });
  const moveRight = async (name: string, from: keyof typeof titles) => {
    await card(name, from).focus();
    await page.keyboard.press('Shift+ArrowRight');
  };
  const sent: string[] = [];
  const first = Promise.withResolvers<void>();
  await intercept(page, '**/opportunities/*', async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback();
    sent.push(route.request().postDataJSON().stage);
    if (sent.length > 1) return route.fallback();
    await first.promise;
    await route.fulfill({ status: 409, json: { success: false, error: 'Somebody has closed it', code: 'CONFLICT' } });
  });
  await moveRight(names.refused, 'discovery');
  await card(names.refused, 'proposal').waitFor();
  await moveRight(names.moved, 'discovery');
  await moveRight(names.moved, 'proposal');
  await card(names.moved, 'negotiation').waitFor();
  t.deepEqual(sent, ['proposal']);
  first.resolve();
  const reason = page.getByRole('status').getByText('Somebody has closed it');
  await reason.first().waitFor();
  // At once, because it disappears by itself.
  t.is(await reason.count(), 1);
  await card(names.refused, 'discovery').waitFor();
  await page.getByRole('status').getByText(`Negotiation: ${names.moved}`).waitFor();
  t.deepEqual(sent, ['proposal', 'proposal', 'negotiation']);
  const stored = await desk.app.run((ctx) => ctx.db.findBy(Opportunity, { name: In(Object.values(names)) }));
  t.deepEqual(
    new Map(stored.map(({ name, stage }) => [name, stage])),
    new Map([
      [names.refused, 'discovery'],
      [names.moved, 'negotiation'],
    ]),
  );
  await context.close();
});

test('a refused deletion shows its reason once', async (t) => {
  const company_number = desk.made.customers[0]?.company.company_number ?? 0;
  const { project_id } = await desk.app.run((ctx) => create(ctx, Projects, { company_number, name: 'Kept' }));
  const { page, context } = await asStaff(desk, desk.made.staff.administrator);
  await intercept(page, '**/projects.php?*', (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill({ status: 400, json: { success: false, error: 'The project is locked' } })
      : route.fallback(),
  );
  await visit(page, `${desk.app.url}/admin/projects/${project_id}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.locator('.toast').first().waitFor();
  t.deepEqual(await page.locator('.toast > span').allTextContents(), ['The project is locked']);
  await context.close();
});

test('a project’s manager and an opportunity’s prospect are chosen by name, and activities are logged at their record', async (t) => {
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  const dialog = page.getByRole('dialog');
  const choose = async (label: RegExp, name: string) => {
    await dialog.getByRole('combobox', { name: label }).fill(name);
    await page.getByRole('option', { name }).first().click();
  };
  await visit(page, `${desk.app.url}/admin/projects`);
  await page.getByRole('button', { name: 'New project' }).click();
  await choose(/^Company/, 'Brightline');
  await dialog.getByLabel('Name', { exact: true }).fill('Scanner hall');
  await choose(/^Project manager/, 'Priya Raman');
  await dialog.getByRole('button', { name: 'New project' }).click();
  await page.getByRole('heading', { name: 'Scanner hall' }).waitFor();
  const project = await desk.app.run((ctx) => ctx.db.findOneBy(Project, { name: 'Scanner hall' }));
  t.truthy(project?.project_manager_id);

  const { prospect_id } = await desk.app.run((ctx) => create(ctx, Prospects, { name: 'Mill Lane Bakery' }));
  await visit(page, `${desk.app.url}/admin/opportunities`);
  await page.getByRole('button', { name: 'New opportunity' }).first().click();
  await dialog.getByLabel('Name', { exact: true }).fill('Tills');
  await choose(/^Prospect/, 'Mill Lane Bakery');
  await dialog.getByLabel(/^Stage/).selectOption('proposal');
  await dialog.getByRole('button', { name: 'New opportunity' }).click();
  await page.getByRole('heading', { name: 'Tills' }).waitFor();
  const opportunity = await desk.app.run((ctx) => ctx.db.findOneBy(Opportunity, { name: 'Tills' }));
  t.like(opportunity, { prospect_id, stage: 'proposal' });

  await page.getByRole('button', { name: 'Log activity' }).click();
  await dialog.getByLabel('Subject').fill('Called the owner');
  await choose(/^Assigned to/, 'Priya Raman');
  await dialog.getByRole('button', { name: 'Log activity' }).click();
  await page.getByRole('link', { name: 'Called the owner' }).waitFor();
  await page.getByRole('button', { name: 'Add note' }).click();
  await dialog.getByLabel('Content').fill('Decides in May');
  await dialog.getByRole('button', { name: 'Add note' }).click();
  await page.getByRole('cell', { name: 'Decides in May' }).waitFor();
  // The activity leads back.
  await page.getByRole('link', { name: 'Called the owner' }).click();
  await page.getByRole('link', { name: 'Priya Raman' }).waitFor();
  await page.getByRole('link', { name: 'Opportunity: Tills' }).click();
  await page.getByRole('heading', { name: 'Tills' }).waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});

test('what is being edited in a record does not move to another one', async (t) => {
  const company_number = desk.made.customers[0]?.company.company_number ?? 0;
  const makeProject = async (name: string) => {
    const { project_id } = await desk.app.run((ctx) => create(ctx, Projects, { company_number, name }));
    return `/admin/projects/${project_id}`;
  };
  const north = await makeProject('North wing');
  const south = await makeProject('South wing');
  const { page, context } = await asStaff(desk, desk.made.staff.administrator);
  // Known to the page already, so that it is shown without waiting.
  await visit(page, desk.app.url + south);
  await step(page, north);
  await page.getByRole('heading', { name: 'North wing' }).waitFor();
  await page.getByRole('button', { name: 'Change due' }).click();
  await page.getByLabel('Due').fill('2031-05-06');
  await page.getByLabel('Add phase').fill('Wiring');
  await step(page, south);
  await page.getByRole('heading', { name: 'South wing' }).waitFor();
  t.is(await page.locator('input[type=date]').count(), 0);
  t.is(await page.getByLabel('Add phase').inputValue(), '');
  await context.close();
});

test('a punch-list item keeps its assignee when it is saved before the technicians are loaded', async (t) => {
  const company_number = desk.made.customers[0]?.company.company_number ?? 0;
  const { project_id } = await desk.app.run(async (ctx) => {
    const project = await create(ctx, Projects, { company_number, name: 'Snags' });
    const item = { title: 'Loose socket', description: 'Loose socket', submitted_by: 'Morgan Hale' };
    const its = { project_id: project.project_id, company_number, assigned_to: 'Sam Outside', characters: 12 };
    await create(ctx, PunchItems, { ...item, ...its });
    return project;
  });
  const { page, context } = await asStaff(desk, desk.made.staff.administrator);
  await intercept(page, '**/tech-status.php', () => undefined);
  await visit(page, `${desk.app.url}/admin/projects/${project_id}`);
  await page.getByRole('tab', { name: /^Punch list/ }).click();
  await page.getByRole('button', { name: 'Change assignee' }).click();
  const stored = page.waitForResponse((each) => each.request().method() === 'PUT');
  await page.getByRole('button', { name: 'Save' }).click();
  t.true((await stored).ok());
  const item = await desk.app.run((ctx) => ctx.db.findOneBy(PunchItem, { project_id }));
  t.is(item?.assigned_to, 'Sam Outside');
  await context.close();
});
