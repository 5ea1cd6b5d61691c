// Workflow actions of plugins: validated on save, listed for the editor, and run with their placeholders rendered.
import { definePlugin, z } from '@keelson/core';
import { workflowFields } from '@keelson/core/plugin';
import { Ticket } from '@keelson/modules/tickets';
import { WorkflowRun, Workflow } from '@keelson/modules/workflows';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { faultsOf } from '../../core/plugin/load/check.ts';
import { Claim } from '../../plugins/warranty/entities.ts';
import { asKey, seedCompany, seedTicket } from '../tickets-seed.ts';

const path = '/workflows.php';
const usual = ['settings:read', 'settings:write', 'tickets:read', 'tickets:write'];
const claim = {
  type: 'plugin_action',
  name: 'warranty.claim',
  input: { vendor: 'Acme', product: '{{ ticket.subject }}' },
};
const claiming = {
  name: 'Claims',
  trigger: { type: 'event', event: 'ticket.created' },
  conditions: [{ field: 'subject', operator: 'contains', value: 'printer' }],
  actions: [claim],
};

test('List workflow actions of plugins', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, usual);
  const { status, body } = await send('GET', `${path}?action=actions`);
  t.is(status, 200);
  const text = { type: 'string', maxLength: 120 };
  t.deepEqual(
    body.data.actions.map(({ name }: any) => name),
    ['tickets.set-due', 'teams.assign', 'teams.escalate', 'planned.add-checklist', 'warranty.claim'],
  );
  t.deepEqual(body.data.actions.slice(-1), [
    {
      name: 'warranty.claim',
      title: 'File a warranty claim',
      needs: ['ticket_id', 'company_number'],
      input: {
        fields: { vendor: { ...text, title: 'Vendor' }, product: { ...text, title: 'Product' } },
        required: ['vendor', 'product'],
      },
    },
  ]);
});

test('a workflow runs a plugin’s action with its placeholders rendered', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, [...usual, 'warranty:write']);
  const saved = await send('POST', path, claiming);
  t.is(saved.status, 201);
  t.deepEqual(saved.body.data.actions, [claim]);
  const { company_number } = await seedCompany(app);
  const { ticket_id } = await seedTicket(app, { company_number, subject: 'A printer smokes' });
  await seedTicket(app, { company_number, subject: 'A door' });
  await app.app.outbox.drain();
  const claims = await app.app.database.find(Claim);
  t.is(claims.length, 1);
  t.like(claims[0], { ticket_id, company_number, vendor: 'Acme', product: 'A printer smokes', state: 'sent' });
  const run = await app.app.database.findOneBy(WorkflowRun, { entity_id: ticket_id });
  t.like(run, { status: 'completed', actions: [{ type: 'plugin_action', status: 'completed' }] });

  // The rendered input is validated as well: a run that cannot continue says why.
  await seedTicket(app, { company_number, subject: `printer ${'x'.repeat(200)}` });
  await app.app.outbox.drain();
  const failed = await app.app.database.findOneBy(WorkflowRun, { status: 'failed' });
  t.is(failed?.error, 'product must be at most 120 characters');
  t.is(await app.app.database.count(Claim), 1);

  const workflow_id = saved.body.data.workflow_id as number;
  const preview = await send('POST', `${path}?action=test&id=${workflow_id}`, { ticket_id });
  t.like(preview.body.data.actions[0], {
    status: 'would_run',
    details: { name: 'warranty.claim', vendor: 'Acme', product: 'A printer smokes' },
  });
  t.is(await app.app.database.count(Claim), 1);
});

test('Create a workflow: a plugin’s action is validated on save, and requires its permission', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, [...usual, 'warranty:write']);
  const refused = async (actions: unknown, more: object = {}) => {
    const { status, body } = await send('POST', path, { ...claiming, ...more, actions });
    t.is(status, 400);
    return body.error as string;
  };
  t.is(
    await refused([{ ...claim, name: 'warranty.fly' }]),
    'actions[0].name must be one of: tickets.set-due, teams.assign, teams.escalate, planned.add-checklist, warranty.claim',
  );
  t.is(await refused([{ ...claim, input: { vendor: 'Acme' } }]), 'actions[0].input.product is required');
  t.is(
    await refused([{ ...claim, input: { ...claim.input, product: '{{ ticket.colour }}' } }]),
    'actions[0].input.product uses {{ ticket.colour }}, which does not exist',
  );
  t.is(
    await refused([{ ...claim, input: { vendor: 'Acme', product: 'Printer' } }], {
      trigger: { type: 'schedule', every_minutes: 60 },
      conditions: [],
    }),
    'actions[0].name warranty.claim requires a record with ticket_id, company_number',
  );
  const without = await (await asKey(app, usual))('POST', path, claiming);
  t.is(without.status, 403);
  t.is(without.body.error, 'The action warranty.claim requires warranty:write and tickets:write');
  t.is(await app.app.database.count(Workflow), 0);
  t.is(await app.app.database.count(Ticket), 0);
});

test('fields that plugins add to records have prefixed names, and belong to one plugin', (t) => {
  const weather = (id: string, name: string, field: string) =>
    definePlugin({
      id,
      title: id,
      workflowFields: [
        workflowFields(name, {
          needs: ['site_number'],
          shape: z.object({ [field]: z.int() }),
          read: () => Promise.resolve({ [field]: 21 }),
        }),
      ],
    });
  const faults = faultsOf([
    { plugin: weather('sun', 'sun.today', 'sun_hours'), source: 'plugin' },
    { plugin: weather('rain', 'rain.today', 'sun_hours'), source: 'plugin' },
  ]);
  t.deepEqual(
    faults.map(({ plugin, message }) => `${plugin}: ${message}`),
    ['rain: workflow field sun_hours is already taken by sun', 'rain: workflow field sun_hours must start with rain_'],
  );
});
