// Caller-defined names may match properties of every object: `constructor`, `toString`, `__proto__`.
import { createWorkflow, Workflow } from '@keelson/modules/workflows';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { CustomField } from '../../modules/crm/custom-fields/entities.ts';
import { ErrorLine } from '../../packages/log/error-log.ts';
import { add, asCrm } from '../crm-seed.ts';
import { asKey, seedCompany, seedTicket } from '../tickets-seed.ts';

const names = ['constructor', 'prototype', '__proto__', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'];

async function noErrors(app: TestApp): Promise<number> {
  return app.app.database.count(ErrorLine);
}

test('Define a custom field: reserved names are rejected, and a label gets another key', async (t) => {
  const app = await startApp(t);
  const send = await asCrm(app);
  const field = { entity_type: 'lead', label: 'Odd', field_type: 'text' };
  for (const field_key of ['constructor', 'prototype', '__proto__']) {
    const answer = await send('POST', '/custom-fields', { ...field, field_key });
    t.is(answer.status, 400, answer.text);
    t.regex(answer.body.error, /^field_key must not be /);
  }
  for (const [label, key] of [
    ['Constructor', 'constructor_'],
    ['Prototype', 'prototype_'],
    ['toString', 'tostring'],
  ] as const) {
    const made = await add(send, '/custom-fields', { ...field, label });
    t.is(made.field_key, key);
    const answer = await send('PUT', `/custom-fields/${made.field_id}`, { field_key: 'constructor' });
    t.is(answer.status, 400, answer.text);
  }
  const custom_fields = { constructor_: 'Ann & Co', tostring: 'x' };
  const { lead_id } = await add(send, '/leads', { email: 'ann@example.com', custom_fields });
  t.deepEqual((await send('GET', `/leads/${lead_id}`)).body.data.custom_fields, custom_fields);
  t.is(await noErrors(app), 0);
});

test('Custom fields: one stored with such a name breaks no record', async (t) => {
  const app = await startApp(t);
  const send = await asCrm(app);
  for (const [i, field_key] of names.entries()) {
    await app.run((ctx) =>
      ctx.db.insertReturningId(CustomField, {
        entity_type: 'lead',
        field_key,
        live_key: field_key,
        label: field_key,
        field_type: 'text',
        options: [],
        required: false,
        default_value: i === 0 ? 'usual' : null,
        sort_order: i,
        created_at: ctx.now,
        updated_at: ctx.now,
        deleted_at: null,
      }),
    );
  }
  const { lead_id } = await add(send, '/leads', { email: 'ann@example.com', custom_fields: { valueOf: 'x' } });
  const path = `/leads/${lead_id}`;
  const stored = await send('GET', path);
  t.deepEqual(Object.entries(stored.body.data.custom_fields), [
    ['constructor', 'usual'],
    ['valueOf', 'x'],
  ]);
  const changed = await send('PUT', path, { custom_fields: { toString: 'y', valueOf: null } });
  t.is(changed.status, 200, changed.text);
  const again = await send('GET', path);
  t.deepEqual(Object.entries(again.body.data.custom_fields), [
    ['constructor', 'usual'],
    ['toString', 'y'],
  ]);
  t.is(await noErrors(app), 0);
});

test('Create a workflow: a condition on such a name is rejected like any unknown field', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['settings:read', 'settings:write']);
  const actions = [{ type: 'set_priority', priority: 1 }];
  for (const field of names) {
    for (const operator of ['eq', 'contains', 'gt', 'empty', 'changed']) {
      const answer = await send('POST', '/workflows.php', {
        name: field,
        trigger: { type: 'event', event: 'ticket.created' },
        conditions: [{ field, operator, ...(operator === 'eq' || operator === 'contains' ? { value: 'x' } : {}) }],
        actions,
      });
      t.is(answer.status, 400, `${field} ${operator}: ${answer.text}`);
      t.regex(answer.body.error, /^conditions\[0\]\.field must be one of: /);
    }
  }
  t.is(await noErrors(app), 0);
});

test('Try a workflow out: a stored condition on such a name matches nothing', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['settings:read', 'settings:write', 'tickets:read']);
  const { company_number } = await seedCompany(app);
  const { ticket_id } = await seedTicket(app, { company_number });
  const { workflow_id } = await app.run(async (ctx) => {
    const trigger = { type: 'event', event: 'ticket.updated' } as const;
    const actions = [{ type: 'call_webhook' as const, url: 'https://hooks.example.com/' }];
    const { workflow } = await createWorkflow(ctx, { name: 'Odd', trigger, conditions: [], actions });
    return workflow;
  });
  // Simulates a workflow stored when such names were still allowed.
  const conditions = names.map((field) => ({ field, operator: 'empty' as const }));
  await app.run((ctx) => ctx.db.update(Workflow, { workflow_id }, { conditions }));
  const answer = await send('POST', `/workflows.php?action=test&id=${workflow_id}`, { ticket_id });
  t.is(answer.status, 200, answer.text);
  for (const each of answer.body.data.conditions) t.like(each, { actual: null, holds: true });
  t.is(await noErrors(app), 0);
});

test('Such names in free-form objects are rejected or stored, and never cause an error', async (t) => {
  const app = await startApp(t);
  const permissions = app.app.plugins.flatMap((plugin) => plugin.permissions ?? []);
  const asStaff = await asKey(
    app,
    permissions.filter((each) => each.surface === 'admin').map((each) => each.name),
  );
  const asSales = await asCrm(app);
  const { company_number } = await seedCompany(app);
  for (const name of names) {
    const odd = Object.fromEntries([[name, 'x']]);
    for (const [send, method, path, body] of [
      [asStaff, 'PUT', '/settings.php?action=dropdowns', Object.fromEntries([[name, []]])],
      [asStaff, 'PUT', `/companies.php?action=modules&id=${company_number}`, Object.fromEntries([[name, true]])],
      [asStaff, 'PUT', `/companies.php?action=modules&id=${company_number}`, { modules: { [name]: true } }],
      [asStaff, 'POST', '/contacts.php?action=import', { contacts: [odd] }],
      [asStaff, 'POST', '/contacts.php?action=import', { ...odd, contacts: [{ first_name: 'x' }] }],
      [asSales, 'POST', '/leads', { email: `${name}@example.com`, raw_payload: odd }],
      [asSales, 'POST', '/leads', { email: `${name}2@example.com`, custom_fields: odd }],
      [asStaff, 'GET', `/tickets.php?sort=${name}`, undefined],
      [asStaff, 'GET', `/tickets.php?${name}=x`, undefined],
      [asSales, 'GET', `/search?q=x&types=${name}`, undefined],
    ] as const) {
      const answer = await send(method, path, body);
      t.true(answer.status < 500, `${method} ${path} ${name}: ${answer.text}`);
    }
    const answer = await app.request('POST', '/helpdesk/api/v1/auth/oauth/callback', { body: { provider: name } });
    t.true(answer.status < 500, answer.text);
  }
  t.is(await noErrors(app), 0);
});
