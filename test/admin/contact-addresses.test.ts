// Additional email addresses of contacts: incoming mail is matched by them, and an address belongs to one person only.
import { findByAddress } from '@keelson/modules/directory';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedEmployee, seedTechnician, unique } from '../accounts-seed.ts';
import { asKey } from '../tickets-seed.ts';

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
test.before(async () => {
  app = await openApp();
  send = await asKey(app, ['contacts:read', 'contacts:write', 'contacts:access']);
});
test.after.always(() => app.close());

const at = (id: number) => `/contacts.php?action=addresses&id=${id}`;
const address = () => `${unique('other')}@home.example`.toLowerCase().replaceAll(' ', '-');
const ownerOf = async (email: string) => (await app.run((ctx) => findByAddress(ctx, email)))?.employee_number;

test('Add an email address to a contact: matched case-insensitively until it is removed', async (t) => {
  const { employee_number: id, email: first } = await seedEmployee(app);
  const email = address();
  const added = await send('POST', at(id), { email: email.toUpperCase() });
  t.is(added.status, 201);
  t.deepEqual((await send('GET', at(id))).body.data, [added.body.data]);
  t.is(await ownerOf(email), id);
  t.is(await ownerOf(first), id);
  const other = await seedEmployee(app);
  const one = (whose: number) => `${at(whose)}&address_id=${added.body.data.address_id}`;
  t.is((await send('DELETE', one(other.employee_number))).status, 404);
  t.is((await send('DELETE', one(id))).status, 204);
  t.is(await ownerOf(email), undefined);
});

test('an address belongs to one person only', async (t) => {
  const [one, two] = [await seedEmployee(app), await seedEmployee(app)];
  const email = address();
  t.is((await send('POST', at(one.employee_number), { email })).status, 201);
  const taken = { status: 409, error: 'email is already in use' };
  const refused = async (answer: { status: number; body: { error?: string } }) =>
    t.like({ status: answer.status, error: answer.body.error }, taken);
  await refused(await send('POST', at(two.employee_number), { email }));
  await refused(await send('POST', at(one.employee_number), { email }));
  await refused(await send('POST', at(two.employee_number), { email: one.email }));
  await refused(await send('POST', at(two.employee_number), { email: (await seedTechnician(app)).email }));
  const { company_number } = two;
  const person = { first_name: 'Erin', last_name: 'Smith', email, company_number };
  await refused(await send('POST', '/contacts.php', person));
  await refused(await send('PUT', `/contacts.php?id=${two.employee_number}`, { email }));
  const { body } = await send('POST', '/bulk/contacts.php', { action: 'import', company_number, contacts: [person] });
  t.true(JSON.stringify(body).includes('email is already in use'), JSON.stringify(body));
  t.is(await ownerOf(email), one.employee_number);
});

test('an additional address can become the primary one', async (t) => {
  const { employee_number: id } = await seedEmployee(app);
  const email = address();
  await send('POST', at(id), { email });
  t.is((await send('PUT', `/contacts.php?id=${id}`, { email })).status, 200);
  t.deepEqual((await send('GET', at(id))).body.data, []);
  t.is(await ownerOf(email), id);
});

test('a deleted contact’s addresses become available, and an inactive contact’s match no one', async (t) => {
  const [one, two] = [await seedEmployee(app), await seedEmployee(app)];
  const email = address();
  await send('POST', at(one.employee_number), { email });
  await send('PUT', `/contacts.php?id=${one.employee_number}`, { status: 'Inactive' });
  t.is(await ownerOf(email), undefined);
  t.is((await send('DELETE', `/contacts.php?id=${one.employee_number}`)).status, 204);
  t.is((await send('POST', at(two.employee_number), { email })).status, 201);
});

test('changing addresses requires contacts:access, and their number is limited', async (t) => {
  const { employee_number: id } = await seedEmployee(app);
  const narrow = await asKey(app, ['contacts:read', 'contacts:write']);
  t.is((await narrow('POST', at(id), { email: address() })).status, 403);
  t.is((await narrow('GET', at(id))).status, 200);
  t.is((await send('POST', at(id), { email: 'nonsense' })).status, 400);
  for (let n = 0; n < 20; n++) t.is((await send('POST', at(id), { email: address() })).status, 201);
  t.is((await send('POST', at(id), { email: address() })).status, 400);
});

test('of two concurrent requests for the same address, one succeeds', async (t) => {
  const { employee_number: id, company_number } = await seedEmployee(app);
  for (let round = 0; round < 8; round++) {
    const email = address();
    const person = { first_name: 'Erin', last_name: 'Smith', email, company_number };
    const answers = await Promise.all([
      send('POST', at(id), { email }),
      send('POST', '/contacts.php', person),
      send('POST', '/contacts.php', { ...person, email: email.toUpperCase() }),
    ]);
    t.deepEqual(
      answers.map((each) => each.status).toSorted((a, b) => a - b),
      [201, 409, 409],
    );
  }
});

test('an address becomes available when its owner replaces it or is deleted', async (t) => {
  const one = await seedEmployee(app);
  const two = await seedEmployee(app);
  const moved = address();
  t.is((await send('PUT', `/contacts.php?id=${one.employee_number}`, { email: moved })).status, 200);
  t.is((await send('POST', at(two.employee_number), { email: one.email })).status, 201);
  t.is((await send('PUT', `/contacts.php?id=${one.employee_number}`, { email: one.email })).status, 409);
  t.is((await send('DELETE', `/contacts.php?id=${one.employee_number}`)).status, 204);
  t.is((await send('POST', at(two.employee_number), { email: moved })).status, 201);
  const technician = await seedTechnician(app);
  const { company_number } = two;
  const taken = { first_name: 'Erin', last_name: 'Smith', email: technician.email, company_number };
  t.is((await send('POST', '/contacts.php', taken)).status, 409, 'technicians’ addresses are claimed, too');
});
