// Further mail addresses of contacts: whose mails are whose, and that an address belongs to one person only.
import { openApp, type TestApp } from '@keelson/core/testing';
import { findByAddress } from '@keelson/modules/directory';
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

test('Add another mail address of a contact: it is theirs, whatever its case, until it is removed', async (t) => {
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

test('a further address can become the first one', async (t) => {
  const { employee_number: id } = await seedEmployee(app);
  const email = address();
  await send('POST', at(id), { email });
  t.is((await send('PUT', `/contacts.php?id=${id}`, { email })).status, 200);
  t.deepEqual((await send('GET', at(id))).body.data, []);
  t.is(await ownerOf(email), id);
});

test('the addresses of a deleted contact are free again, and those of an inactive one name nobody', async (t) => {
  const [one, two] = [await seedEmployee(app), await seedEmployee(app)];
  const email = address();
  await send('POST', at(one.employee_number), { email });
  await send('PUT', `/contacts.php?id=${one.employee_number}`, { status: 'Inactive' });
  t.is(await ownerOf(email), undefined);
  t.is((await send('DELETE', `/contacts.php?id=${one.employee_number}`)).status, 204);
  t.is((await send('POST', at(two.employee_number), { email })).status, 201);
});

test('addresses need contacts:access to change, and are bounded', async (t) => {
  const { employee_number: id } = await seedEmployee(app);
  const narrow = await asKey(app, ['contacts:read', 'contacts:write']);
  t.is((await narrow('POST', at(id), { email: address() })).status, 403);
  t.is((await narrow('GET', at(id))).status, 200);
  t.is((await send('POST', at(id), { email: 'nonsense' })).status, 400);
  for (let n = 0; n < 20; n++) t.is((await send('POST', at(id), { email: address() })).status, 201);
  t.is((await send('POST', at(id), { email: address() })).status, 400);
});
