// The portal's bootstrap data.
import { startApp } from '@keelson/testing';
import test from 'ava';
import { seedEmployee, signIn } from '../accounts-seed.ts';

test('Read the portal configuration for the caller: the person, their company and permissions', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app, { can_create_tickets: true });
  const { token } = await signIn(app, employee);
  const { status, body } = await app.request('GET', '/helpdesk/api/v1/portal', { token });
  t.is(status, 200);
  t.is(body.person.employee_number, employee.employee_number);
  t.is(body.person.company.company_number, employee.company_number);
  t.deepEqual(body.tenant, { name: app.app.config.tenantName, currency: 'USD' });
  t.true(body.permissions.includes('can_create_tickets'));
  t.false(body.permissions.includes('IT admin'));
});
