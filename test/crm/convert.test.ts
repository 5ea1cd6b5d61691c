// Conversions: a lead to contact, prospect and opportunity; a prospect to a customer.
import { Company, createEmployee, Employee } from '@keelson/modules/directory';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany, unique } from '../accounts-seed.ts';
import { add, asCrm, crmPermissions, eventsOf, linesOf, refusals, refused, type Send } from '../crm-seed.ts';

let app: TestApp;
let send: Send;
test.before(async () => {
  app = await openApp();
  send = await asCrm(app);
});
test.after.always(() => app.close());

let last = 0;
const lead = async (given: object = {}) => {
  const email = `lead${++last}@example.com`;
  const body = {
    first_name: 'Jane',
    last_name: 'Doe',
    email,
    phone: '555',
    company_name: unique('Doe Works'),
    ...given,
  };
  return { ...body, ...(await add(send, '/leads', body)) };
};
const convert = (id: number, body: unknown = {}) => send('POST', `/leads/${id}/convert`, body);

test.serial('Convert a lead', async (t) => {
  const given = await lead({ source: 'referral' });
  const { lead_id, email, company_name } = given;
  let answer = await send('GET', '/leads');
  const events = await eventsOf(app, async () => {
    answer = await convert(lead_id, { create_opportunity: true, opportunity_value: 1200.5 });
  });
  t.is(answer.status, 200);
  const { contact_id, prospect_id, opportunity_id } = answer.body.data;
  t.deepEqual(answer.body, {
    success: true,
    data: { contact_id, prospect_id, opportunity_id, lead_status: 'converted' },
  });
  const name = `${company_name} opportunity`;
  const deal = { opportunity_id, name, prospect_id, stage: 'prospecting', value: 1200.5, status: 'open' };
  t.deepEqual(events, [
    ['contact.created', { contact_id, email, prospect_id }],
    ['lead.converted', { lead_id, email, source: 'referral', contact_id, prospect_id, opportunity_id }],
    ['opportunity.created', deal],
    ['prospect.created', { prospect_id, name: company_name, status: 'active' }],
  ]);
  const detail = (await send('GET', `/leads/${lead_id}`)).body.data;
  t.like(detail, {
    status: 'converted',
    contact_id,
    prospect_id,
    opportunity_id,
    converted_at: '2026-03-02T09:00:00Z',
  });
  t.deepEqual(detail.linked_entities, {
    contact: { contact_id, first_name: 'Jane', last_name: 'Doe', email },
    prospect: { prospect_id, name: company_name, status: 'active' },
    opportunity: { opportunity_id, name, stage: 'prospecting', status: 'open', value: 1200.5, currency: 'USD' },
  });
  t.like((await send('GET', `/people/${contact_id}`)).body.data, { lead_id, prospect_id, phone: '555' });
  t.like((await send('GET', `/opportunities/${opportunity_id}`)).body.data, { lead_id, contact_id, value: 1200.5 });
});

test.serial('Convert a lead: only once, and the status is final', async (t) => {
  const { lead_id } = await lead();
  t.is((await convert(lead_id)).body.data.opportunity_id, null);
  const again = await convert(lead_id);
  t.deepEqual(
    [again.status, again.body],
    [409, { success: false, error: 'The lead is already converted', code: 'DUPLICATE' }],
  );
  const back = await send('PUT', `/leads/${lead_id}`, { status: 'new' });
  t.deepEqual([back.status, back.body.code], [400, 'VALIDATION_ERROR']);
  t.is((await send('PUT', `/leads/${lead_id}`, { score: 5, status: 'converted' })).body.data.score, 5);
});

test.serial('Convert a lead: of two concurrent requests one wins', async (t) => {
  const { lead_id } = await lead();
  const before = (await send('GET', '/people')).body.pagination.total;
  const answers = await Promise.all(Array.from({ length: 6 }, () => convert(lead_id, { create_opportunity: true })));
  t.deepEqual(
    answers.map((each) => each.status).toSorted((a, b) => a - b),
    [200, 409, 409, 409, 409, 409],
  );
  t.is((await send('GET', '/people')).body.pagination.total, before + 1);
});

test.serial('Convert a lead: two leads of one company share the prospect', async (t) => {
  const company_name = unique('Shared');
  const leads = [await lead({ company_name }), await lead({ company_name }), await lead({ company_name })];
  const answers = await Promise.all(leads.map((each) => convert(each.lead_id)));
  t.deepEqual(
    answers.map((each) => each.status),
    [200, 200, 200],
  );
  t.is(new Set(answers.map((each) => each.body.data.prospect_id)).size, 1);
});

test.serial('Convert a lead: existing records are linked', async (t) => {
  const { prospect_id } = await add(send, '/prospects', { name: unique('Known') });
  const { name } = (await send('GET', `/prospects/${prospect_id}`)).body.data;
  const { contact_id } = await add(send, '/people', { email: 'Known@Example.com' });
  const { lead_id } = await lead({ email: 'known@example.com', company_name: name.toUpperCase() });
  const events = await eventsOf(app, async () => {
    t.like((await convert(lead_id)).body.data, { contact_id, prospect_id });
  });
  t.deepEqual(
    events.map(([each]) => each),
    ['lead.converted'],
  );
});

test.serial('Convert a lead: names', async (t) => {
  const nameless = await add(send, '/leads', { phone: '030 12345' });
  const { contact_id, prospect_id } = (await convert(nameless.lead_id)).body.data;
  t.is((await send('GET', `/prospects/${prospect_id}`)).body.data.name, '030 12345');
  t.is((await send('GET', `/people/${contact_id}`)).body.data.first_name, '030 12345');
  const person = await lead({ company_name: '', last_name: 'Smith' });
  const made = await convert(person.lead_id, { create_prospect: false, create_opportunity: true });
  t.is(made.body.data.prospect_id, null);
  t.is((await send('GET', `/opportunities/${made.body.data.opportunity_id}`)).body.data.name, 'Jane Smith opportunity');
});

test.serial('Convert a lead: rejects invalid input', async (t) => {
  const { lead_id } = await lead();
  const none = await convert(lead_id, { create_contact: false, create_prospect: false });
  t.deepEqual([none.status, none.body.code], [400, 'VALIDATION_ERROR']);
  t.is((await convert(lead_id, { opportunity_value: -1 })).body.error, 'opportunity_value must be at least 0');
  t.is((await convert(lead_id, { create_contact: 'yes' })).body.error, 'create_contact must be true or false');
  t.is((await convert(99_999)).status, 404);
  for (const [missing, body] of [
    ['contacts:write', {}],
    ['prospects:write', {}],
    ['opportunities:write', { create_opportunity: true }],
  ] as const) {
    const narrow = await asCrm(
      app,
      crmPermissions.filter((each) => each !== missing),
    );
    t.deepEqual((await narrow('POST', `/leads/${lead_id}/convert`, body)).body, refused, missing);
  }
  const website = await asCrm(app, ['leads:write', 'contacts:write']);
  t.is((await website('POST', `/leads/${lead_id}/convert`, { create_prospect: false })).status, 200);
});

test.serial('Convert a prospect to a customer', async (t) => {
  const name = unique('Customer');
  const { prospect_id } = await add(send, '/prospects', {
    name,
    address: '1 Quay',
    city: 'Kiel',
    phone: '555',
    industry: 'Retail',
  });
  await add(send, '/people', { prospect_id, first_name: 'Ann', last_name: 'Lee', email: `ann${++last}@example.com` });
  await add(send, '/people', { prospect_id, email: `only${++last}@example.com` });
  await add(send, '/people', { prospect_id, first_name: 'No', last_name: 'Address' });
  const other = await seedCompany(app);
  const used = `used${++last}@example.com`;
  await app.run((ctx) =>
    createEmployee(ctx, { company_number: other.company_number, first_name: 'A', last_name: 'B', email: used }),
  );
  await add(send, '/people', { prospect_id, first_name: 'Used', email: used.toUpperCase() });
  let answer = await send('GET', '/prospects');
  let lines: string[] = [];
  const events = await eventsOf(app, async () => {
    lines = await linesOf(app, async () => (answer = await send('POST', `/prospects/${prospect_id}/convert`)));
  });
  t.is(answer.status, 200, answer.text);
  const { company_number } = answer.body.data;
  t.deepEqual(answer.body, { success: true, data: { prospect_id, company_number, status: 'converted' } });
  t.deepEqual(events, [['prospect.converted', { prospect_id, name, status: 'converted', company_number }]]);
  t.true(lines.includes(`create company ${company_number}`) && lines.includes(`update prospect ${prospect_id}`));
  const company = await app.app.database.findOneBy(Company, { company_number });
  t.like(company, { customer: name, address: '1 Quay', city: 'Kiel', phone: '555', industry: 'Retail' });
  const employees = await app.app.database.find(Employee, {
    where: { company_number },
    order: { employee_number: 'ASC' },
  });
  t.deepEqual(
    employees.map((each) => [each.first_name, each.last_name, each.password_hash, each.status]),
    [
      ['Ann', 'Lee', null, 'Inactive'],
      [`only${last - 1}`, '', null, 'Inactive'],
    ],
  );
  t.like((await send('GET', `/prospects/${prospect_id}`)).body.data, { status: 'converted', company_number });
  const again = await send('POST', `/prospects/${prospect_id}/convert`);
  t.deepEqual([again.status, again.body.code], [409, 'DUPLICATE']);
  t.is((await send('PUT', `/prospects/${prospect_id}`, { status: 'active' })).status, 400);
  t.is((await send('GET', '/prospects?status=converted')).body.pagination.total, 1);
});

test.serial('Convert a prospect to a customer: of two concurrent requests one wins', async (t) => {
  const { prospect_id } = await add(send, '/prospects', { name: unique('Race') });
  const answers = await Promise.all(Array.from({ length: 5 }, () => send('POST', `/prospects/${prospect_id}/convert`)));
  t.deepEqual(
    answers.map((each) => each.status).toSorted((a, b) => a - b),
    [200, 409, 409, 409, 409],
  );
});

test.serial('Convert a prospect to a customer: to an existing customer, and rejects invalid input', async (t) => {
  const company = await seedCompany(app);
  const { prospect_id } = await add(send, '/prospects', { name: company.customer });
  const convertTo = (body: unknown) => send('POST', `/prospects/${prospect_id}/convert`, body);
  const taken = await convertTo({});
  t.deepEqual([taken.status, taken.body.code], [409, 'DUPLICATE']);
  t.is((await convertTo({ company_number: 99_999 })).body.error, 'company_number must be an existing company');
  t.is((await send('POST', '/prospects/99999/convert')).status, 404);
  const { company_number } = company;
  await add(send, '/people', { prospect_id, email: `x${++last}@example.com` });
  t.is((await convertTo({ company_number, create_contacts: false })).body.data.company_number, company_number);
  t.is(await app.app.database.countBy(Employee, { company_number }), 0);
  const { without, stranger } = await refusals(app, 'POST', `/prospects/${prospect_id}/convert`, 'prospects:write');
  t.deepEqual([stranger.status, without.status, without.body], [401, 403, refused]);
});
