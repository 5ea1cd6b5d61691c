import { change, lock } from '@keelson/core';
import { changeModules, findCompany } from '@keelson/modules/directory';
import { lockProject, Projects, submitMilestone } from '@keelson/modules/projects';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { Attachment } from '../../core/attachments/attachment.ts';
import { milestoneNoun } from '../../modules/projects/milestones/milestone-list.ts';
import { portalCaller } from '../attachments-seed.ts';
import { projectEvents, seedItem, seedMilestone, seedProject, seedSubmitted } from '../projects-seed.ts';
import { portal, asEmployee, forgetEvents, seedCompany, seedEmployee } from '../tickets-seed.ts';

const now = '2026-03-02T09:00:00Z';
const times = { created_at: now, updated_at: now };

let app: TestApp;
let asWorker: Awaited<ReturnType<typeof asEmployee>>;
let asManager: typeof asWorker;
let company: { company_number: number; company_name: string };
let foreign: number;
test.before(async () => {
  app = await openApp();
  const { company_number, customer } = await seedCompany(app);
  company = { company_number, company_name: customer };
  foreign = (await seedCompany(app)).company_number;
  asWorker = await asEmployee(app, await seedEmployee(app, { company_number, first_name: 'Wim', last_name: 'Worker' }));
  const manager = { company_number, first_name: 'Mia', last_name: 'Manager', ismgr: true };
  asManager = await asEmployee(app, await seedEmployee(app, manager));
});
test.after.always(() => app.close());

const whole = (n: number) => ({ page: 1, limit: 1000, total: n, total_pages: 1 });
const ours = () => ({ company_number: company.company_number });
const same = (a: { status: number; text: string }, b: { status: number; text: string }) =>
  a.status === b.status && a.text === b.text;

test.serial('List your company’s projects: the full response, without internal notes', async (t) => {
  const { project_id } = await seedProject(app, {
    ...ours(),
    name: 'Office move',
    description: 'To the third floor',
    notes: 'They haggle',
    start_date: '2026-02-01',
    due_date: '2026-04-30',
    status: 'active',
  });
  await seedProject(app, { company_number: foreign, name: 'Theirs' });
  const { body, status } = await asWorker('GET', '/projects');
  t.is(status, 200);
  const project = {
    project_id,
    name: 'Office move',
    description: 'To the third floor',
    status: 'active',
    ...company,
    start_date: '2026-02-01',
    due_date: '2026-04-30',
    completed_at: null,
    ...times,
    project_manager: '',
    progress_percent: 0,
    overdue_milestones: 0,
  };
  t.deepEqual(body, { projects: [project], pagination: whole(1) });
  t.deepEqual((await asWorker('GET', '/projects?status=planning')).body.projects, []);
  t.is((await asWorker('GET', '/projects?status=ACTIVE&search=third%20move')).body.projects.length, 1);
  t.deepEqual((await asWorker('GET', '/projects?search=haggle')).body.projects, [], 'notes are not searched');
  t.is((await asWorker('GET', '/projects?status=lost')).status, 400);
  t.is((await asWorker('GET', '/projects?limit=1&page=2')).body.projects.length, 0);
  t.is((await app.request('GET', `${portal}/projects`)).status, 401);
  t.true((await app.fewestStatements(() => asWorker('GET', '/projects'))) <= 6);
});

test.serial('Read a project in full', async (t) => {
  const { project_id } = await seedProject(app, { ...ours(), notes: 'Secret margin' });
  const { milestone_id } = await seedMilestone(app, project_id, { notes: 'Secret too', amount: 1_250_500 });
  const { item_id } = await seedItem(app, project_id, 'The socket by the door is dead\nSince Monday');
  const { body, status, text } = await asWorker('GET', `/projects/${project_id}`);
  t.is(status, 200);
  t.notRegex(text, /Secret/);
  t.like(body, { project_id, progress_percent: 0, phases: [] });
  t.like(body.milestones[0], { milestone_id, amount: null, currency: 'USD', status: 'pending' });
  const managers = (await asManager('GET', `/projects/${project_id}`)).body;
  t.is(managers.milestones[0].amount, 1250.5);
  t.like(body.punch_list[0], { item_id, title: 'The socket by the door is dead', responses: [], attachments: [] });
  const theirs = await seedProject(app, { company_number: foreign });
  const absent = await asWorker('GET', '/projects/999999');
  t.is(absent.status, 404);
  t.true(same(await asWorker('GET', `/projects/${theirs.project_id}`), absent));
});

test.serial(
  'List the milestones of a project: late ones are marked, and approved ones count towards progress',
  async (t) => {
    const { project_id } = await seedProject(app, ours());
    const late = await seedSubmitted(app, project_id, { name: 'Late', due_date: '2026-03-01' });
    await seedMilestone(app, project_id, { name: 'Today', due_date: '2026-03-02' });
    await seedMilestone(app, project_id, { name: 'Some day' });
    const list = async (query = '') => (await asWorker('GET', `/projects/${project_id}/milestones${query}`)).body;
    const { milestones, pagination } = await list();
    t.deepEqual(
      milestones.map((each: any) => [each.name, each.overdue, each.status]),
      [
        ['Late', true, 'pending_approval'],
        ['Today', false, 'pending'],
        ['Some day', false, 'pending'],
      ],
    );
    t.deepEqual(pagination, whole(3));
    t.is((await list('?status=pending')).milestones.length, 2);
    t.is((await list('?limit=1&page=2')).milestones[0].name, 'Today');
    const figures = async () => {
      const { progress_percent, overdue_milestones } = (await asWorker('GET', `/projects/${project_id}`)).body;
      return [progress_percent, overdue_milestones];
    };
    t.deepEqual(await figures(), [0, 1]);
    await asManager('POST', `/milestones/${late.milestone_id}/approve`);
    t.deepEqual(await figures(), [33, 0], 'what is approved is late no more');
    t.is((await list()).milestones[0].overdue, false);
    t.is((await asWorker('GET', '/projects/999999/milestones')).status, 404);
    t.true((await app.fewestStatements(() => list())) <= 6);
  },
);

test.serial('List the milestones pending approval; Count the milestones pending approval: for managers', async (t) => {
  const { company_number } = await seedCompany(app);
  const managers = await asEmployee(app, await seedEmployee(app, { company_number, ismgr: true }));
  const others = await asEmployee(app, await seedEmployee(app, { company_number }));
  const { project_id } = await seedProject(app, { company_number });
  await seedMilestone(app, project_id, { name: 'Not submitted' });
  const first = await seedSubmitted(app, project_id, { name: 'First' });
  const asked = await seedSubmitted(app, project_id, { name: 'Asked' });
  await others('POST', `/milestones/${asked.milestone_id}/request-info`, { message: 'Why?' });
  const { body } = await managers('GET', '/milestones/pending');
  t.deepEqual(
    body.milestones.map((each: any) => [each.milestone_id, each.status]),
    [
      [first.milestone_id, 'pending_approval'],
      [asked.milestone_id, 'info_requested'],
    ],
  );
  t.deepEqual(body.pagination, whole(2));
  const refused = await others('GET', '/milestones/pending');
  t.deepEqual([refused.status, refused.body], [403, { error: 'Manager role required' }]);
  t.deepEqual((await managers('GET', '/milestones/approval-count')).body, { is_manager: true, pending_count: 2 });
  t.deepEqual((await others('GET', '/milestones/approval-count')).body, { is_manager: false, pending_count: 0 });
  const cancelled = await seedProject(app, { company_number, status: 'active' });
  const gone = await seedSubmitted(app, cancelled.project_id);
  await app.run(async (ctx) =>
    change(ctx, Projects, await lockProject(ctx, cancelled.project_id), { status: 'cancelled' }),
  );
  t.is((await managers('GET', '/milestones/approval-count')).body.pending_count, 2, 'a cancelled project needs none');
  const late = await managers('POST', `/milestones/${gone.milestone_id}/approve`);
  t.deepEqual([late.status, late.body], [400, { error: 'The project was cancelled' }]);
});

test.serial('Read a milestone with its history: with the history of a question, a reply and a decision', async (t) => {
  const { project_id, name } = await seedProject(app, ours());
  const milestone = await seedSubmitted(app, project_id, { description: 'All desks wired', due_date: '2026-03-20' });
  const { milestone_id } = milestone;
  const path = `/milestones/${milestone_id}`;
  const fixed = {
    milestone_id,
    project_id,
    phase_id: null,
    ...ours(),
    name: 'Cabling',
    description: 'All desks wired',
    due_date: '2026-03-20',
    requested_at: now,
    ...times,
    project_name: name,
    company_name: company.company_name,
    amount: null,
    currency: 'USD',
    overdue: false,
  };
  const open = { decided_at: null, decided_by: null, rejection_reason: null };
  const asked = await asWorker('POST', `${path}/request-info`, { question: 'Which desks?' });
  t.is(asked.status, 200);
  t.deepEqual(asked.body, {
    success: true,
    ...fixed,
    ...open,
    status: 'info_requested',
    info_request: 'Which desks?',
  });
  await app.run(async (ctx) => submitMilestone(ctx, await lock(ctx, milestoneNoun, milestone_id), 'All twelve'));
  const approved = await asManager('POST', `${path}/approve`, { comment: 'Well done' });
  t.is(approved.status, 200);
  const decided = { decided_at: now, decided_by: 'Mia Manager', rejection_reason: null, info_request: null };
  t.deepEqual(approved.body, { success: true, ...fixed, ...decided, status: 'approved' });
  const { body, status } = await asWorker('GET', path);
  t.is(status, 200);
  const { history, ...rest } = body;
  t.deepEqual(rest, { ...fixed, ...decided, status: 'approved' });
  t.deepEqual(
    history.map((each: any) => [each.action, each.comment, each.author_name, each.created_at]),
    [
      ['submitted', 'Please look', 'System', now],
      ['info_requested', 'Which desks?', 'Wim Worker', now],
      ['answered', 'All twelve', 'System', now],
      ['approved', 'Well done', 'Mia Manager', now],
    ],
  );
  const theirs = await seedProject(app, { company_number: foreign });
  const other = await seedSubmitted(app, theirs.project_id);
  const absent = await asWorker('GET', '/milestones/999999');
  t.is(absent.status, 404);
  t.true(same(await asWorker('GET', `/milestones/${other.milestone_id}`), absent));
});

test.serial(
  'Approve a milestone; Reject a milestone; Ask for information about a milestone: who may, and when',
  async (t) => {
    const { project_id } = await seedProject(app, ours());
    const theirs = await seedSubmitted(app, (await seedProject(app, { company_number: foreign })).project_id);
    const reason = { reason: 'The labels are missing' };
    for (const [action, body] of [
      ['approve', {}],
      ['reject', reason],
    ] as const) {
      const refused = await asWorker('POST', `/milestones/${theirs.milestone_id}/${action}`, body);
      t.deepEqual([refused.status, refused.body], [403, { error: 'Manager role required' }]);
      t.is((await app.request('POST', `${portal}/milestones/1/${action}`, { body })).status, 401);
      const absent = await asManager('POST', `/milestones/999999/${action}`, body);
      t.is(absent.status, 404);
      t.true(same(await asManager('POST', `/milestones/${theirs.milestone_id}/${action}`, body), absent));
    }
    const { milestone_id } = await seedSubmitted(app, project_id);
    const path = `/milestones/${milestone_id}`;
    for (const body of [{}, { reason: '  ' }]) {
      const blank = await asManager('POST', `${path}/reject`, body);
      t.deepEqual([blank.status, blank.body], [400, { error: 'reason is required' }]);
      const silent = await asManager('POST', `${path}/request-info`, body);
      t.deepEqual([silent.status, silent.body], [400, { error: 'message is required' }]);
    }
    const rejected = await asManager('POST', `${path}/reject`, reason);
    t.like(rejected.body, { status: 'rejected', rejection_reason: reason.reason, decided_by: 'Mia Manager' });
    const pending = await seedMilestone(app, project_id);
    const approved = await seedSubmitted(app, project_id);
    await asManager('POST', `/milestones/${approved.milestone_id}/approve`);
    for (const { milestone_id: id } of [{ milestone_id }, pending, approved])
      for (const [action, body] of [
        ['approve', {}],
        ['reject', reason],
        ['request-info', { message: 'Why?' }],
      ] as const) {
        const again = await asManager('POST', `/milestones/${id}/${action}`, body);
        t.deepEqual([again.status, again.body], [400, { error: 'Milestone is not pending approval' }]);
      }
    const asked = await seedSubmitted(app, project_id);
    const ask = () => asWorker('POST', `/milestones/${asked.milestone_id}/request-info`, { message: 'Why?' });
    t.is((await ask()).status, 200);
    t.is((await ask()).status, 400, 'a question is asked once');
    t.is(
      (await asManager('POST', `/milestones/${asked.milestone_id}/reject`, reason)).status,
      200,
      'without an answer',
    );
  },
);

test.serial('of 50 concurrent identical decisions exactly one succeeds', async (t) => {
  const { project_id } = await seedProject(app, ours());
  const { milestone_id } = await seedSubmitted(app, project_id);
  await forgetEvents(app);
  const all = await Promise.all(
    Array.from({ length: 50 }, () => asManager('POST', `/milestones/${milestone_id}/approve`)),
  );
  t.is(all.filter(({ status }) => status === 200).length, 1);
  const lost = all.filter(({ status }) => status !== 200);
  t.true(lost.every(({ status, body }) => status === 400 && body.error === 'Milestone is not pending approval'));
  const { history } = (await asWorker('GET', `/milestones/${milestone_id}`)).body;
  t.is(history.filter((each: any) => each.action === 'approved').length, 1);
  t.deepEqual(await projectEvents(app), ['milestone.approved']);
});

test.serial(
  'Submit punch-list items; List the punch list of a project; Read a punch-list item: one or several',
  async (t) => {
    const { project_id } = await seedProject(app, ours());
    const path = `/projects/${project_id}/punch-list`;
    const one = await asWorker('POST', path, { description: 'Socket dead', location: 'Room 2', priority: 'HIGH' });
    t.is(one.status, 201);
    const { item_id } = one.body;
    const item = {
      item_id,
      project_id,
      title: 'Socket dead',
      description: 'Socket dead',
      location: 'Room 2',
      priority: 'high',
      status: 'open',
      submitted_by: 'Wim Worker',
      assigned_to: null,
      feedback: null,
      ...times,
      responses: [],
      attachments: [],
    };
    t.deepEqual(one.body, { success: true, ...item, items: [item] });
    const long = 'The carpet in the hall has a long cut, from the lift all the way to the kitchen, and a stain';
    const items = [{ title: 'Carpet', description: long }, { description: long }];
    const two = await asWorker('POST', path, { items });
    t.deepEqual(Object.keys(two.body), ['success', 'items']);
    t.deepEqual(
      two.body.items.map((each: any) => each.title),
      ['Carpet', 'The carpet in the hall has a long cut, from the lift all the way to the…'],
    );
    const list = async (query = '') => (await asWorker('GET', `${path}${query}`)).body;
    t.deepEqual((await list()).punch_list[0], item);
    t.deepEqual((await list()).pagination, whole(3));
    t.is((await list('?status=closed')).punch_list.length, 0);
    t.is((await list('?limit=2&page=2')).punch_list.length, 1);
    t.deepEqual((await asWorker('GET', `${path}/${item_id}`)).body, item);
    const refused = async (body: unknown) => {
      const answer = await asWorker('POST', path, body);
      return answer.status === 400 ? answer.body.error : answer.status;
    };
    t.is(await refused({}), 'description is required');
    t.is(await refused({ items: [] }), 'items must contain between 1 and 50 items');
    t.is(await refused({ items: [{ title: 'No words' }] }), 'items[0].description is required');
    t.is(await refused({ description: 'X', priority: 'urgent' }), 'priority must be one of: low, medium, high');
    const theirs = await seedProject(app, { company_number: foreign });
    const absent = await asWorker('POST', '/projects/999999/punch-list', { description: 'X' });
    t.is(absent.status, 404);
    t.true(same(await asWorker('POST', `/projects/${theirs.project_id}/punch-list`, { description: 'X' }), absent));
    t.is((await asWorker('GET', `/projects/${theirs.project_id}/punch-list`)).status, 404);
  },
);

test.serial('Respond to a punch-list item: a reply changes its status, and a closed one accepts none', async (t) => {
  const { project_id } = await seedProject(app, ours());
  const { item_id } = await seedItem(app, project_id);
  const other = await seedProject(app, ours());
  const path = `/projects/${project_id}/punch-list/${item_id}/respond`;
  const say = (body: unknown) => asWorker('POST', path, body);
  const first = await say({ response: 'Still there' });
  t.is(first.status, 200);
  t.like(first.body, { success: true, item_id, status: 'open' });
  const [response] = first.body.responses;
  t.deepEqual(first.body.responses, [
    { response_id: response.response_id, response: 'Still there', author_name: 'Wim Worker', created_at: now },
  ]);
  t.is((await say({ response: 'No', status: 'rejected' })).body.status, 'open');
  t.is((await say({ response: '' })).body.error, 'response is required');
  t.is((await say({ response: 'X', status: 'maybe' })).body.error, 'status must be one of: accepted, rejected');
  t.is((await say({ response: 'Fine', status: 'accepted' })).body.status, 'closed');
  const closed = await say({ response: 'And another thing' });
  t.deepEqual([closed.status, closed.body], [400, { error: 'Punch-list item is closed' }]);
  const absent = await asWorker('POST', `/projects/${project_id}/punch-list/999999/respond`, { response: 'X' });
  t.is(absent.status, 404);
  const mixed = `/projects/${other.project_id}/punch-list/${item_id}`;
  t.true(same(await asWorker('POST', `${mixed}/respond`, { response: 'X' }), absent), 'an item of another project');
  t.is((await asWorker('GET', mixed)).status, 404);
});

test.serial('the size of a punch list is limited', async (t) => {
  const { project_id } = await seedProject(app, ours());
  const { item_id } = await seedItem(app, project_id);
  const description = 'x'.repeat(65_000);
  const post = () => asWorker('POST', `/projects/${project_id}/punch-list`, { items: Array(15).fill({ description }) });
  t.is((await post()).status, 201);
  t.is((await post()).status, 201);
  const full = await post();
  t.deepEqual([full.status, full.body], [400, { error: 'The punch list of this project is full' }]);
  const long = { response: 'y'.repeat(65_000) };
  t.is((await asWorker('POST', `/projects/${project_id}/punch-list/${item_id}/respond`, long)).status, 400);
  const small = { response: 'y' };
  for (let i = 0; i < 50; i++) await asWorker('POST', `/projects/${project_id}/punch-list/${item_id}/respond`, small);
  const most = await asWorker('POST', `/projects/${project_id}/punch-list/${item_id}/respond`, small);
  t.deepEqual([most.status, most.body], [400, { error: 'A punch-list item can have at most 50 responses' }]);
});

const png = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001', 'hex');

test.serial('Attach files to a punch-list item; Download an attachment of a punch-list item', async (t) => {
  const { company_number } = await seedCompany(app);
  const employee = await seedEmployee(app, { company_number });
  const caller = await portalCaller(app, employee);
  const send = await asEmployee(app, employee);
  const { project_id } = await seedProject(app, { company_number });
  const { item_id } = await seedItem(app, project_id);
  const item = `/projects/${project_id}/punch-list/${item_id}`;
  const path = `${item}/attachments`;
  const answer = await caller.upload(path, [
    { name: 'scratch.PNG', bytes: png },
    { name: 'list.csv', bytes: 'a,b' },
  ]);
  t.is(answer.status, 201);
  const [picture, sheet] = answer.body.attachments;
  const shared = { author_name: 'Erin Example', created_at: now };
  t.deepEqual(answer.body, {
    success: true,
    attachments: [
      { attachment_id: picture.attachment_id, filename: 'scratch.PNG', content_type: 'image/png', size: 24, ...shared },
      { attachment_id: sheet.attachment_id, filename: 'list.csv', content_type: 'text/plain', size: 3, ...shared },
    ],
  });
  const json = {
    filename: 'note.txt',
    content_type: 'text/plain',
    content_base64: Buffer.from('hi').toString('base64'),
  };
  t.is((await send('POST', path, json)).status, 201);
  const { author_name: _, ...link } = answer.body.attachments[0];
  const shown = (await send('GET', item)).body.attachments;
  t.is(shown.length, 3);
  t.deepEqual(shown[0], link);
  const back = await caller.send('GET', `${path}/${sheet.attachment_id}`);
  t.deepEqual([back.status, back.text], [200, 'a,b']);

  const refused = async (name: string, bytes: Buffer | string) =>
    (await caller.upload(path, [{ name, bytes }])).body.error;
  const types = 'png, jpg, jpeg, gif, webp, pdf, txt, csv, docx, xlsx, zip';
  t.is(await refused('page.html', '<p>'), `file must be one of: ${types}`);
  t.is(await refused('noending', png), `file must be one of: ${types}`);
  t.is(await refused('scratch.png', 'MZ and more'), 'file content does not match its extension: scratch.png');
  t.is((await caller.upload(path, [])).body.error, 'file is required');
  t.is((await app.app.database.findBy(Attachment, { record_type: 'punch_item', record_id: item_id })).length, 3);

  const other = await seedProject(app, { company_number });
  const mixed = `/projects/${other.project_id}/punch-list/${item_id}/attachments`;
  t.is((await caller.upload(mixed, [{ name: 'a.txt' }])).status, 404, 'an item of another project');
  const stranger = await portalCaller(app, await seedEmployee(app));
  const absent = await stranger.send('GET', '/projects/999999/punch-list/1/attachments/1');
  for (const each of [`${path}/${sheet.attachment_id}`, `${mixed}/${sheet.attachment_id}`])
    t.true(same(await stranger.send('GET', each), absent));
  t.is((await caller.send('GET', `${mixed}/${sheet.attachment_id}`)).status, 404);
  t.is((await stranger.upload(path, [{ name: 'a.txt' }])).status, 404);
});

test.serial('List attachments of a punch-list item; Delete an attachment of a punch-list item', async (t) => {
  const employee = await seedEmployee(app, ours());
  const caller = await portalCaller(app, employee);
  const { project_id } = await seedProject(app, ours());
  const { item_id } = await seedItem(app, project_id);
  const path = `/projects/${project_id}/punch-list/${item_id}/attachments`;
  const { attachment_id } = (await caller.upload(path, [{ name: 'a.txt' }])).body.attachments[0];
  t.is((await caller.send('GET', path)).body.attachments.length, 1);
  t.is((await caller.send('DELETE', `${path}/${attachment_id}`)).status, 204);
  t.is((await caller.send('GET', path)).body.attachments.length, 0);
  await caller.upload(path, [{ name: 'kept.txt' }]);
  const { attachments } = (await caller.send('GET', path)).body;
  await asWorker('POST', `/projects/${project_id}/punch-list/${item_id}/respond`, {
    response: 'Fine',
    status: 'accepted',
  });
  const closed = [400, { error: 'Punch-list item is closed' }];
  const late = await caller.upload(path, [{ name: 'late.txt' }]);
  t.deepEqual([late.status, late.body], closed);
  const gone = await caller.send('DELETE', `${path}/${attachments[0].attachment_id}`);
  t.deepEqual([gone.status, gone.body], closed, 'what is settled keeps its files');
});

test.serial('with the module disabled every route returns 403 and no one is notified', async (t) => {
  const { company_number } = await seedCompany(app);
  const person = await seedEmployee(app, { company_number, ismgr: true });
  const send = await asEmployee(app, person);
  const { project_id } = await seedProject(app, { company_number });
  const { milestone_id } = await seedSubmitted(app, project_id);
  const { item_id } = await seedItem(app, project_id);
  const set = (projects: boolean) =>
    app.run(async (ctx) => changeModules(ctx, await findCompany(ctx, company_number), { projects }));
  await set(false);
  const routes = app.app.plugins.find(({ id }) => id === 'projects')?.routes ?? [];
  const portalRoutes = [...routes, ...attachmentRoutes(app)].filter(({ surface }) => surface.id === 'helpdesk');
  t.true(portalRoutes.length >= 15);
  for (const { method, path } of portalRoutes) {
    const real = path
      .replace('{project_id}', String(project_id))
      .replace('{id}', String(milestone_id))
      .replace('{item_id}', String(item_id))
      .replace('{attachment_id}', '1');
    const answer = await send(method.toUpperCase(), real, method === 'post' ? {} : undefined);
    t.deepEqual([answer.status, answer.body], [403, { error: 'Projects module is disabled' }], `${method} ${real}`);
  }
  await set(true);
  t.is((await send('GET', `/projects/${project_id}`)).status, 200);
});

/** Returns the routes made by the attachment declaration. */
function attachmentRoutes({ app: { plugins } }: TestApp) {
  return plugins
    .filter(({ id }) => id === 'projects')
    .flatMap(({ attachments = [] }) => attachments.flatMap((each) => each.routes));
}
