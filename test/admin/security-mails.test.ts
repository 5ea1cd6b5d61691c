// People get a mail when their sign-in details change.
import { plus } from '@keelson/core';
import { contextOf } from '@keelson/core/system';
import { ApiKey, LinkedIdentity } from '@keelson/modules/accounts';
import { createEmployee, Employee, findTechnician, updateTechnician } from '@keelson/modules/directory';
import { openApp, readMails, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { generateSync } from 'otplib';
import { beginFactor, enableFactor, isPending } from '../../modules/accounts/factors/second-factor.ts';
import { signInEmployee } from '../../modules/accounts/sessions/sign-in.ts';
import { password, seedCompany, seedEmployee, seedTechnician } from '../accounts-seed.ts';
import { asKey } from '../tickets-seed.ts';

const codeOf = (secret: string) => generateSync({ secret, epoch: Date.parse(clock.now()) / 1000 });

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
const clock = testClock();
test.before(async () => {
  app = await openApp({ clock });
  send = await asKey(app, ['contacts:read', 'contacts:write', 'contacts:access']);
});
test.after.always(() => app.close());

/** Returns the templates of all mails to an address. */
async function mailedTo(address: string): Promise<string[]> {
  return (await readMails(app)).filter((each) => each.to === address).map((each) => each.template);
}

test.serial('changes of password and email are notified, the latter to both addresses', async (t) => {
  const { company_number } = await seedCompany(app);
  const { employee_number } = await seedEmployee(app, { company_number, email: 'ann@old.example' });
  const path = `/contacts.php?id=${employee_number}`;
  t.is((await send('PUT', path, { password: 'another fine passphrase' })).status, 200);
  t.deepEqual(await mailedTo('ann@old.example'), ['password_changed']);
  t.is((await send('PUT', path, { email: 'ann@new.example' })).status, 200);
  t.deepEqual(await mailedTo('ann@new.example'), ['security_change']);
  t.deepEqual((await mailedTo('ann@old.example')).toSorted(), ['password_changed', 'security_change']);
});

test.serial(
  'people who sign in only with an identity provider are notified, others without a password not',
  async (t) => {
    const { company_number } = await seedCompany(app);
    const person = { company_number, first_name: 'Bo', last_name: 'Example' };
    const make = (email: string) => app.run((ctx) => createEmployee(ctx, { ...person, email }));
    const [linked, never] = [await make('bo@old.example'), await make('never@old.example')];
    const times = { created_at: clock.now(), last_used_at: clock.now() };
    const identity = { employee_number: linked.employee_number, issuer: 'https://login.example', subject: 'bo' };
    await app.app.database.insert(LinkedIdentity, { ...identity, ...times });
    for (const [{ employee_number }, email] of [
      [linked, 'bo@new.example'],
      [never, 'never@new.example'],
    ] as const)
      t.is((await send('PUT', `/contacts.php?id=${employee_number}`, { email, ismgr: true })).status, 200);
    t.deepEqual(await mailedTo('bo@new.example'), ['security_change', 'security_change']);
    t.deepEqual(await mailedTo('bo@old.example'), ['security_change']);
    t.deepEqual([...(await mailedTo('never@old.example')), ...(await mailedTo('never@new.example'))], []);
  },
);

test.serial('changed rights, a reactivation and a changed role are notified', async (t) => {
  const { employee_number, email } = await seedEmployee(app);
  const put = async (body: object) =>
    t.is((await send('PUT', `/contacts.php?id=${employee_number}`, body)).status, 200);
  await put({ it_privileges: true, title: 'CTO' });
  await put({ it_privileges: true, phone: '1' });
  const told = async (address: string) =>
    (await readMails(app)).filter((each) => each.to === address).map((each) => each.text.split('\n\n')[1]);
  const name = (await app.app.database.findOneBy(ApiKey, {}))?.name;
  t.deepEqual(await told(email), [`${name} changed your rights in the support portal.`]);
  await put({ status: 'Inactive' });
  await put({ status: 'Active' });
  t.is((await told(email)).length, 2);
  t.true((await told(email)).includes(`${name} reactivated your account.`));
  const technician = await seedTechnician(app, 'technician');
  await app.run(async (ctx) => {
    const found = await findTechnician(ctx, technician.user_id);
    await updateTechnician(ctx, found, { role: 'administrator' });
  });
  t.regex((await told(technician.email)).join(), /changed your role\.$/);
});

test.serial(
  'setting up and resetting two-factor authentication is notified; its key expires after 10 minutes',
  async (t) => {
    const { employee_number, email } = await seedEmployee(app);
    const owner = { kind: 'employee', id: employee_number, account: email } as const;
    const ctx = () => app.app.system();
    const first = await beginFactor(ctx(), owner);
    t.true(await isPending(ctx(), owner));
    clock.set(plus(clock.now(), { minutes: 10 }));
    t.false(await isPending(ctx(), owner));
    await t.throwsAsync(enableFactor(ctx(), owner, codeOf(first.secret)), {
      message: 'Start setting up two-factor authentication first',
    });
    const { secret } = await beginFactor(ctx(), owner);
    await enableFactor(ctx(), owner, codeOf(secret));
    t.deepEqual(await mailedTo(email), ['security_change']);
    const reset = await send('DELETE', `/contacts.php?action=second-factor&id=${employee_number}`);
    t.is(reset.status, 204);
    t.is((await mailedTo(email)).length, 2);
  },
);

test.serial('a new password or a two-factor reset clears the lock for wrong codes', async (t) => {
  const { employee_number, email } = await seedEmployee(app);
  const account = `employee code ${employee_number}`;
  const { guesses } = app.app;
  const fail = async () => {
    for (let i = 0; i < 8; i++) {
      await guesses.check(account, '192.0.2.1', true);
      await guesses.failed(account, '192.0.2.1', true);
    }
  };
  await fail();
  t.not(await guesses.check(account, '192.0.2.2', true), undefined, 'locked');
  t.is((await send('PUT', `/contacts.php?id=${employee_number}`, { password: 'yet another passphrase' })).status, 200);
  t.is(await guesses.check(account, '192.0.2.2', true), undefined, 'open again');
  t.deepEqual(await mailedTo(email), ['password_changed']);
});

test.serial('a sign-in from a new address is notified, except the very first', async (t) => {
  const { employee_number, email } = await seedEmployee(app);
  const employee = await app.app.database.findOneBy(Employee, { employee_number });
  t.truthy(employee);
  const from = async (ip: string) => {
    const { actor, author, request } = app.app.system();
    const ctx = contextOf({ app: app.app, actor, author, request: { ...request, ip } });
    await signInEmployee(ctx, { username: email, password });
  };
  await from('192.0.2.7');
  t.deepEqual(await mailedTo(email), []);
  await from('192.0.2.7');
  t.deepEqual(await mailedTo(email), []);
  await from('198.51.100.9');
  t.deepEqual(await mailedTo(email), ['security_change']);
});
