import { Mail } from '@keelson/core/system';
import { openApp, readMails, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { In } from 'typeorm';
import { ActivityLine } from '../../packages/log/activity.ts';
import { staffCaller } from '../attachments-seed.ts';
import { projectEvents, seedItem, seedMilestone, seedProject, seedSubmitted } from '../projects-seed.ts';
import {
  asEmployee,
  asKey,
  forgetEvents,
  seedCompany,
  seedEmployee,
  seedTechnician,
  seedTicket,
  staff,
} from '../tickets-seed.ts';

const now = '2026-03-02T09:00:00Z';
const times = { created_at: now, updated_at: now };

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
const clock = testClock();
test.before(async () => {
  app = await openApp({ clock });
  send = await asKey(app, ['tickets:read', 'tickets:write', 'companies:write', 'billing:read']);
});
test.after.always(() => app.close());

const at = (project_id: number, rest = '') => `/projects.php?id=${project_id}${rest}`;
const newProject = async () => seedProject(app, { company_number: (await seedCompany(app)).company_number });

/** Returns the mails written since the last call. */
async function news() {
  await app.app.outbox.drain();
  const mails = await readMails(app);
  await app.app.database.delete(Mail, { state: In(['waiting', 'held']) });
  return mails.map(({ template, to, subject, text }) => ({ template, to, subject, text }));
}

test.serial('Create a project: returns the full record', async (t) => {
  const { company_number, customer } = await seedCompany(app);
  const { user_id, name } = await seedTechnician(app);
  const body = {
    company_number,
    name: 'Server migration',
    description: 'From the cellar to the cloud',
    status: 'Active',
    project_manager_id: user_id,
    start_date: '2026-03-01',
    due_date: '2026-06-30',
    notes: 'Fixed price',
  };
  const answer = await send('POST', '/projects.php', body);
  t.is(answer.status, 201);
  const { project_id } = answer.body.data;
  t.deepEqual(answer.body, {
    success: true,
    data: {
      project_id,
      ...body,
      status: 'active',
      completed_at: null,
      ...times,
      company_name: customer,
      project_manager: name,
      progress_percent: 0,
      overdue_milestones: 0,
      phases: [],
      milestones: [],
      punch_list: [],
    },
  });
  const [entry] = await app.app.database.findBy(ActivityLine, {
    entity_type: 'project',
    entity_id: String(project_id),
  });
  t.like(entry, { action: 'create', description: 'Project Server migration created' });
  const refused = async (more: object) => (await send('POST', '/projects.php', { ...body, ...more })).body.error;
  t.is(await refused({ company_number: 999_999 }), 'company_number must be an existing company');
  t.is(await refused({ project_manager_id: 999_999 }), 'project_manager_id must be an active technician');
  t.is(await refused({ due_date: '2026-02-28' }), 'due_date must not be before start_date');
  t.is(await refused({ name: ' ', status: 'lost' }).then((error: string) => error.split('; ').length), 2);
  t.is((await send('POST', '/projects.php', {})).body.error, 'company_number is required; name is required');
});

test.serial('Create a project: one that is completed has a day of completion', async (t) => {
  const { company_number } = await seedCompany(app);
  const { body } = await send('POST', '/projects.php', { company_number, name: 'Move', status: 'completed' });
  t.is(body.data.completed_at, '2026-03-02');
});

test.serial('List projects: by company, status and text', async (t) => {
  const { company_number } = await seedCompany(app);
  await seedProject(app, { company_number, name: 'First', status: 'completed' });
  await seedProject(app, { company_number, name: 'Second', notes: 'hidden words' });
  const list = async (query: string) =>
    (await send('GET', `/projects.php?company_number=${company_number}${query}`)).body;
  const names = async (query: string) => (await list(query)).data.map((each: any) => each.name);
  t.deepEqual(await names(''), ['Second', 'First']);
  t.deepEqual(await names('&status=completed'), ['First']);
  t.deepEqual(await names('&search=sec'), ['Second']);
  t.deepEqual(await names('&search=hidden'), []);
  t.deepEqual(await names('&per_page=1&page=2'), ['First']);
  t.deepEqual((await list('&per_page=1')).pagination, { page: 1, per_page: 1, total: 2, total_pages: 2 });
  t.is((await send('GET', '/projects.php?status=lost')).status, 400);
  t.true((await app.fewestStatements(() => list(''))) <= 6);
});

test.serial('Read a project; Update a project; Delete a project: deleting also deletes its parts', async (t) => {
  const { project_id, company_number } = await newProject();
  const { milestone_id } = await seedMilestone(app, project_id);
  await send('POST', `/projects.php?action=phases&id=${project_id}`, { name: 'Build' });
  const { item_id } = await seedItem(app, project_id);
  await forgetEvents(app);
  const done = await send('PUT', at(project_id), { status: 'completed', notes: 'Paid' });
  t.is(done.status, 200);
  t.like(done.body.data, { status: 'completed', completed_at: '2026-03-02', notes: 'Paid' });
  t.deepEqual(await projectEvents(app), ['project.completed']);
  t.is((await send('PUT', at(project_id), { status: 'active' })).body.data.completed_at, null);
  t.is((await send('PUT', at(project_id), {})).body.error, 'No fields to update');
  t.is((await send('PUT', at(project_id), { company_number: 1 })).body.error, 'company_number cannot be changed');
  const read = (await send('GET', at(project_id))).body.data;
  t.deepEqual([read.phases.length, read.milestones.length, read.punch_list.length], [1, 1, 1]);
  t.is((await send('DELETE', `/companies.php?id=${company_number}`)).status, 409, 'a company with projects stays');
  t.is((await send('DELETE', at(project_id))).status, 204);
  t.is((await send('GET', at(project_id))).status, 404);
  const employee = await asEmployee(app, await seedEmployee(app, { company_number }));
  t.is((await employee('GET', `/milestones/${milestone_id}`)).status, 404);
  t.is((await employee('GET', `/projects/${project_id}/punch-list/${item_id}`)).status, 404);
  t.is((await send('DELETE', at(project_id))).status, 404);
});

test.serial('List the phases of a project; Add phase to a project; Update a phase; Delete a phase', async (t) => {
  const { project_id } = await newProject();
  const phases = `/projects.php?action=phases&id=${project_id}`;
  const last = (await send('POST', phases, { name: 'Hand over', sort_order: 2 })).body.data;
  const added = await send('POST', phases, { name: 'Build', description: 'All of it', start_date: '2026-03-01' });
  t.is(added.status, 201);
  const { phase_id } = added.body.data;
  const phase = {
    phase_id,
    project_id,
    name: 'Build',
    description: 'All of it',
    sort_order: 0,
    status: 'pending',
    start_date: '2026-03-01',
    due_date: null,
    ...times,
  };
  t.deepEqual(added.body, { success: true, data: phase });
  t.deepEqual((await send('GET', phases)).body, { success: true, data: [phase, last] });
  const one = `${phases}&phase_id=${phase_id}`;
  t.is((await send('PUT', one, { status: 'active' })).body.data.status, 'active');
  t.is((await send('PUT', one, { due_date: '2026-02-01' })).body.error, 'due_date must not be before start_date');
  const { milestone_id } = await seedMilestone(app, project_id, { phase_id });
  t.is((await send('DELETE', one)).status, 204);
  const { data } = (await send('GET', `/projects.php?action=milestones&id=${project_id}&milestone_id=${milestone_id}`))
    .body;
  t.is(data.phase_id, null, 'its milestones stay');
  const other = await newProject();
  const mixed = `/projects.php?action=phases&id=${other.project_id}&phase_id=${last.phase_id}`;
  t.is((await send('PUT', mixed, { name: 'X' })).status, 404, 'a phase of another project');
  t.is((await send('DELETE', mixed)).status, 404);
  t.is((await send('GET', '/projects.php?action=phases&id=999999')).status, 404);
});

test.serial('Add a milestone to a project; List a project’s milestones; Read a milestone', async (t) => {
  const { project_id, name, company_number } = await newProject();
  const path = `/projects.php?action=milestones&id=${project_id}`;
  const body = {
    name: 'Cabling',
    description: 'Twelve desks',
    due_date: '2026-03-01',
    amount: 1250.5,
    notes: 'Margin 8 %',
  };
  const added = await send('POST', path, body);
  t.is(added.status, 201);
  const milestone = added.body.data;
  t.like(milestone, { ...body, project_id, project_name: name, company_number, status: 'pending', overdue: true });
  t.deepEqual(
    [milestone.requested_at, milestone.decided_at, milestone.decided_by, milestone.info_request, milestone.phase_id],
    [null, null, null, null, null],
  );
  const list = (await send('GET', path)).body;
  t.deepEqual(list.data, [milestone]);
  t.is(list.pagination.total, 1);
  t.deepEqual((await send('GET', `${path}&status=approved`)).body.data, []);
  t.deepEqual((await send('GET', `${path}&milestone_id=${milestone.milestone_id}`)).body.data, {
    ...milestone,
    history: [],
  });
  t.is((await send('GET', `${path}&milestone_id=999999`)).status, 404);
  t.is(
    (await send('POST', path, { name: 'X', phase_id: 999_999 })).body.error,
    'phase_id must be a phase of the project',
  );
  t.is((await send('POST', path, { name: 'X', amount: -1 })).body.error, 'amount must be at least 0');
  t.is((await send('POST', '/projects.php?action=milestones&id=999999', { name: 'X' })).status, 404);
});

test.serial('Update a milestone; Delete a milestone: submitted milestones stay unchanged', async (t) => {
  const { project_id, company_number } = await newProject();
  const { milestone_id } = await seedMilestone(app, project_id);
  const path = `/projects.php?action=milestones&id=${project_id}&milestone_id=${milestone_id}`;
  t.like((await send('PUT', path, { amount: 100, name: 'Cables' })).body.data, { amount: 100, name: 'Cables' });
  const submit = () => send('POST', path.replace('milestones', 'submit-milestone'));
  t.is((await submit()).status, 200);
  const fixed = 'A submitted milestone can only be changed after it is rejected';
  for (const change of [{ amount: 200 }, { name: 'X' }, { description: 'X' }, { due_date: '2026-05-01' }]) {
    const refused = await send('PUT', path, change);
    t.deepEqual([refused.status, refused.body.error], [400, fixed]);
  }
  t.is((await send('PUT', path, { notes: 'Ours' })).status, 200);
  const manager = await asEmployee(app, await seedEmployee(app, { company_number, ismgr: true }));
  await manager('POST', `/milestones/${milestone_id}/reject`, { reason: 'Too much' });
  t.is((await send('PUT', path, { amount: 90 })).body.data.amount, 90);
  await submit();
  await manager('POST', `/milestones/${milestone_id}/approve`);
  const kept = await send('DELETE', path);
  t.deepEqual([kept.status, kept.body.error], [400, 'An approved milestone cannot be deleted']);
  const other = await seedMilestone(app, project_id);
  const gone = path.replace(String(milestone_id), String(other.milestone_id));
  t.is((await send('DELETE', gone)).status, 204);
  t.is((await send('PUT', gone, { name: 'X' })).status, 404);
  t.is((await send('GET', at(project_id))).body.data.progress_percent, 100, 'deleted ones do not count');
});

test.serial('Submit a milestone for approval: again after a rejection, and with a reply to a question', async (t) => {
  const { project_id, company_number } = await newProject();
  const { milestone_id } = await seedMilestone(app, project_id);
  const submit = (body?: object, id = milestone_id) =>
    send('POST', `/projects.php?action=submit-milestone&id=${project_id}&milestone_id=${id}`, body);
  await forgetEvents(app);
  const first = await submit({ comment: 'Done' });
  t.is(first.status, 200);
  t.like(first.body.data, { status: 'pending_approval', requested_at: now });
  t.like(first.body.data.history[0], { action: 'submitted', comment: 'Done' });
  t.deepEqual(await projectEvents(app), ['milestone.submitted']);
  const twice = await submit();
  t.deepEqual([twice.status, twice.body.error], [400, 'Milestone has already been submitted']);
  const manager = await asEmployee(app, await seedEmployee(app, { company_number, ismgr: true }));
  await manager('POST', `/milestones/${milestone_id}/reject`, { reason: 'No' });
  const again = (await submit()).body.data;
  t.deepEqual([again.status, again.rejection_reason, again.decided_by], ['pending_approval', null, null]);
  await manager('POST', `/milestones/${milestone_id}/request-info`, { message: 'How?' });
  const silent = await submit();
  t.deepEqual([silent.status, silent.body.error], [400, 'comment is required: it answers the customer’s question']);
  const answered = (await submit({ comment: 'By hand' })).body.data;
  t.deepEqual([answered.status, answered.info_request], ['pending_approval', null]);
  t.is(answered.history.at(-1).action, 'answered');
  await manager('POST', `/milestones/${milestone_id}/approve`);
  t.is((await submit()).status, 400, 'approved is final');
  const elsewhere = await newProject();
  const mixed = await seedMilestone(app, elsewhere.project_id);
  t.is((await submit({}, mixed.milestone_id)).status, 404, 'a milestone of another project');
});

test.serial('List a project’s punch list; Update a punch-list item: one step at a time', async (t) => {
  const { project_id, company_number } = await newProject();
  const { item_id } = await seedItem(app, project_id);
  const list = `/projects.php?action=punch-list&id=${project_id}`;
  const path = `${list}&item_id=${item_id}`;
  t.is((await send('GET', list)).body.data[0].item_id, item_id);
  const to = async (status: string) => {
    const answer = await send('PUT', path, { status });
    return answer.status === 200 ? answer.body.data.status : answer.body.error;
  };
  t.is(await to('ready_for_review'), 'A punch-list item cannot change from open to ready_for_review');
  t.is(await to('in_progress'), 'in_progress');
  t.is(await to('in_progress'), 'in_progress', 'what it is already is no move');
  t.is(await to('open'), 'A punch-list item cannot change from in_progress to open');
  t.is(await to('ready_for_review'), 'ready_for_review');
  const said = await send('PUT', path, { feedback: 'Painted over', assigned_to: 'Kim' });
  t.like(said.body.data, { feedback: 'Painted over', assigned_to: 'Kim', status: 'ready_for_review' });
  const employee = await asEmployee(app, await seedEmployee(app, { company_number }));
  const respond = `/projects/${project_id}/punch-list/${item_id}/respond`;
  t.is((await employee('POST', respond, { response: 'Still visible', status: 'rejected' })).body.status, 'open');
  t.is((await send('GET', list)).body.data[0].responses[0].response, 'Still visible');
  await to('in_progress');
  await to('ready_for_review');
  t.is(await to('closed'), 'closed');
  t.is(await to('open'), 'A punch-list item cannot change from closed to open');
  t.is((await send('PUT', path, {})).status, 400);
  const other = await newProject();
  t.is(
    (await send('PUT', path.replace(`&id=${project_id}`, `&id=${other.project_id}`), { feedback: 'X' })).status,
    404,
  );
});

test.serial(
  'List all attachments of any punch-list item; Attach files to any punch-list item; Download an attachment of any punch-list item; Delete an attachment of any punch-list item',
  async (t) => {
    const { project_id } = await newProject();
    const { item_id } = await seedItem(app, project_id);
    const key = await staffCaller(app);
    const all = `/projects/punch-list.php?action=attachments&id=${item_id}`;
    const { attachment_id } = (await key.upload(all, [{ name: 'after.txt' }])).body.data.attachments[0];
    t.is((await key.send('GET', all)).body.data[0].filename, 'after.txt');
    const one = `/projects/punch-list.php?action=attachment&id=${item_id}&attachment_id=${attachment_id}`;
    t.is((await key.send('GET', one)).text, 'hello');
    t.is((await key.send('DELETE', one)).status, 204);
    t.is((await key.send('GET', one)).status, 404);
  },
);

test.serial('permissions are required on every route', async (t) => {
  const { project_id } = await newProject();
  const reader = await asKey(app, ['tickets:read']);
  const stranger = await asKey(app, ['companies:read']);
  t.is((await reader('GET', at(project_id))).status, 200);
  t.is((await reader('PUT', at(project_id), { name: 'X' })).status, 403);
  t.is((await reader('POST', '/projects.php', {})).status, 403);
  t.is((await stranger('GET', '/projects.php')).status, 403);
  t.is((await app.request('GET', `${staff}/projects.php`)).status, 401);
});

test.serial('a manager who cannot view billing is asked for approval without the amount', async (t) => {
  const { company_number } = await seedCompany(app);
  const payer = await seedEmployee(app, { company_number, ismgr: true });
  const other = await seedEmployee(app, { company_number, ismgr: true, can_view_billing: false });
  const { project_id } = await seedProject(app, { company_number });
  await news();
  await seedSubmitted(app, project_id, { amount: 1_250_500 });
  const textOf = new Map((await news()).map(({ to, text }) => [to, text]));
  t.deepEqual([...textOf.keys()].toSorted(), [payer.email, other.email].toSorted());
  t.regex(textOf.get(payer.email) ?? '', /Amount: USD\s1,250.50/);
  t.regex(textOf.get(other.email) ?? '', /Amount: –/);
});

test.serial('decision makers get a mail: managers, the project manager and submitters', async (t) => {
  const { company_number, customer } = await seedCompany(app);
  const technician = await seedTechnician(app);
  const manager = await seedEmployee(app, { company_number, ismgr: true });
  const worker = await seedEmployee(app, {
    company_number,
    first_name: 'Wim',
    last_name: 'Worker',
    it_privileges: true,
  });
  await seedEmployee(app, { ismgr: true });
  const project = { company_number, name: 'Office move', project_manager_id: technician.user_id };
  const { project_id } = await seedProject(app, project);
  await news();
  const { milestone_id } = await seedSubmitted(app, project_id, { amount: 1_250_500, description: 'Twelve desks' });
  const asked = await news();
  t.deepEqual(
    asked.map(({ template, to, subject }) => [template, to, subject]),
    [['milestone_approval_requested', manager.email, 'Approval needed: Cabling (Office move)']],
    'managers of the company and nobody else',
  );
  t.regex(asked[0]?.text ?? '', /Twelve desks\n\nPlease look\n\nAmount: USD\s1,250.50/);
  const asWorker = await asEmployee(app, worker);
  await asWorker('POST', `/milestones/${milestone_id}/request-info`, { message: 'Which desks?' });
  const [question] = await news();
  t.like(question, { template: 'milestone_decided', to: technician.email, subject: 'Cabling: info requested' });
  t.regex(question?.text ?? '', new RegExp(`${customer}, project .*by Wim Worker.\\s+Which desks\\?`));
  const asManager = await asEmployee(app, manager);
  await asManager('POST', `/milestones/${milestone_id}/approve`, { comment: 'Fine' });
  t.like((await news())[0], { to: technician.email, subject: 'Cabling: approved' });

  const path = `/projects/${project_id}/punch-list`;
  const { item_id } = (await asWorker('POST', path, { description: 'Socket dead' })).body;
  t.like((await news())[0], {
    template: 'punch_item_news',
    to: technician.email,
    subject: 'Office move: Socket dead',
  });
  const items = [
    { title: 'Door', location: 'Hall', description: 'It sticks' },
    { title: 'Lamp', description: 'Dark' },
  ];
  await asWorker('POST', path, { items });
  const told = await news();
  t.is(told.length, 1, 'one mail for all items of a call');
  t.like(told[0], {
    template: 'punch_list_submitted',
    to: technician.email,
    subject: 'Office move: 2 punch-list items',
  });
  t.regex(told[0]?.text ?? '', /Wim Worker of .*submitted 2 items[^]*- Door \(Hall\)\n- Lamp\n/);
  const item = `/projects.php?action=punch-list&id=${project_id}&item_id=${item_id}`;
  await send('PUT', item, { status: 'in_progress' });
  await send('PUT', item, { status: 'ready_for_review', feedback: 'New fuse' });
  const [ready] = await news();
  t.like(ready, { template: 'punch_item_ready', to: worker.email, subject: 'Ready for review: Socket dead' });
  t.regex(ready?.text ?? '', /New fuse/);
  await asWorker('POST', `${path}/${item_id}/respond`, { response: 'Works', status: 'accepted' });
  const [accepted] = await news();
  t.regex(accepted?.text ?? '', /Its status is closed.\s+Works/);
});

test.serial('projects and milestones are searchable except for internal notes; reports include them', async (t) => {
  const { company_number } = await seedCompany(app);
  const { project_id } = await seedProject(app, { company_number, name: 'Quokka rollout', notes: 'wombat' });
  const { milestone_id } = await seedMilestone(app, project_id, { name: 'Quokka pilot' });
  await seedTicket(app, { company_number, subject: 'Quokka' });
  const employee = await asEmployee(app, await seedEmployee(app, { company_number }));
  const stranger = await asEmployee(app, await seedEmployee(app));
  const found = async (by: typeof employee, q: string) => {
    const { body } = await by('GET', `/search?q=${q}&types=projects,milestones`);
    return [body.projects.map((each: any) => each.project_id), body.milestones.map((each: any) => each.milestone_id)];
  };
  await app.statements(async () => undefined);
  t.deepEqual(await found(employee, 'quokka'), [[project_id], [milestone_id]]);
  t.deepEqual(await found(employee, 'wombat'), [[], []]);
  t.deepEqual(await found(stranger, 'quokka'), [[], []]);
  const report = { name: 'R', source: 'milestones', fields: ['name', 'project_name', 'overdue', 'status'] };
  const { report_id } = (await employee('POST', '/reports', report)).body;
  const { rows } = (await employee('POST', `/reports/${report_id}/run`, {})).body;
  t.deepEqual(rows, [{ name: 'Quokka pilot', project_name: 'Quokka rollout', overdue: false, status: 'pending' }]);
  const other = (await stranger('POST', '/reports', report)).body.report_id;
  t.deepEqual((await stranger('POST', `/reports/${other}/run`, {})).body.rows, []);
});

test.serial('Reorder the phases of a project: all of them, or none', async (t) => {
  const { project_id } = await newProject();
  const ids: number[] = [];
  for (const name of ['Plan', 'Build', 'Hand over'])
    ids.push((await send('POST', `/projects.php?action=phases&id=${project_id}`, { name })).body.data.phase_id);
  const order = `/projects.php?action=phase-order&id=${project_id}`;
  const reversed = ids.toReversed();
  const answer = await send('PUT', order, { phase_ids: reversed });
  t.is(answer.status, 200);
  const idsOf = (phases: { phase_id: number }[]) => phases.map((each) => each.phase_id);
  t.deepEqual(idsOf(answer.body.data), reversed);
  t.deepEqual(idsOf((await send('GET', `/projects.php?action=phases&id=${project_id}`)).body.data), reversed);
  const other = await newProject();
  const foreign = (await send('POST', `/projects.php?action=phases&id=${other.project_id}`, { name: 'Foreign' })).body;
  for (const phase_ids of [ids.slice(1), [...ids, ids[0]], [...ids.slice(1), foreign.data.phase_id], []])
    t.is((await send('PUT', order, { phase_ids })).status, 400);
  t.is((await send('PUT', order, { phase_ids: ['x'] })).status, 400);
  t.is((await send('PUT', '/projects.php?action=phase-order&id=999999', { phase_ids: [] })).status, 404);
  t.deepEqual(idsOf((await send('GET', `/projects.php?action=phases&id=${project_id}`)).body.data), reversed);
});

test.serial('Add a punch-list item to a project: colleagues are not mailed about their own', async (t) => {
  const { project_id } = await seedProject(app, {
    company_number: (await seedCompany(app)).company_number,
    project_manager_id: (await seedTechnician(app)).user_id,
  });
  await news();
  const list = `/projects.php?action=punch-list&id=${project_id}`;
  const added = await send('POST', list, { description: 'The door scratches\nat the top', priority: 'high' });
  t.is(added.status, 201);
  t.like(added.body.data, { title: 'The door scratches', priority: 'high', status: 'open', project_id });
  t.is((await send('GET', list)).body.pagination.total, 1);
  t.deepEqual(await news(), []);
  t.is((await send('POST', list, { title: 'No description' })).status, 400);
  t.is((await send('POST', '/projects.php?action=punch-list&id=999999', { description: 'x' })).status, 404);
  const reader = await asKey(app, ['tickets:read']);
  t.is((await reader('POST', list, { description: 'x' })).status, 403);
});
