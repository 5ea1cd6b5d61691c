import {
  admin,
  administrators,
  all,
  created,
  findOr404,
  item,
  list,
  lock,
  nothing,
  pageOf,
  param,
  remove,
  show,
  showOne,
  z,
} from '@keelson/core';
import { ReadSettings, WriteSettings } from '@keelson/modules/system';
import { manualBody, newWorkflow, testBody, workflowChanges } from '../definitions/fields.ts';
import { OfferedEvents, OfferedFields, offerEvents, offerFields } from '../definitions/offered.ts';
import { createWorkflow, listWorkflows, updateWorkflow, Workflows } from '../definitions/workflows.ts';
import { triggerWorkflow, dryRunWorkflow } from '../runs/by-hand.ts';
import { requireGranted } from '../runs/granted.ts';
import { RunItem } from '../runs/runs.ts';
import { PluginActions, showPluginActions, showSaved, TestShape, viewFor, WorkflowItem } from '../shapes.ts';

const Write = administrators(WriteSettings);

export default [
  admin.get('/workflows.php', {
    title: 'List workflows',
    access: ReadSettings,
    returns: all(WorkflowItem),
    handle: async (ctx) => show(ctx, viewFor(ctx.actor), await listWorkflows(ctx)),
  }),
  admin.post('/workflows.php', {
    title: 'Create a workflow',
    access: Write,
    body: newWorkflow,
    returns: created(WorkflowItem.shape),
    async handle(ctx, { body }) {
      const saved = await createWorkflow(ctx, body);
      requireGranted(ctx, saved.workflow);
      return showSaved(ctx, saved);
    },
  }),
  admin.get('/workflows.php?action=actions', {
    title: 'List workflow actions of plugins',
    addition: true,
    access: ReadSettings,
    returns: item(PluginActions),
    handle: (ctx) => showPluginActions(ctx),
  }),
  admin.get('/workflows.php?action=fields', {
    title: 'List the fields that conditions can compare',
    addition: true,
    access: ReadSettings,
    /** Without an event, those of workflows started manually. */
    query: z.object({ event: param.text(100) }),
    returns: item(OfferedFields),
    handle: (ctx, { query: { event } }) => offerFields(ctx, event),
  }),
  admin.get('/workflows.php?action=events', {
    title: 'List the events that start workflows',
    addition: true,
    access: ReadSettings,
    returns: item(OfferedEvents),
    handle: (ctx) => offerEvents(ctx),
  }),
  admin.get('/workflows.php?id={id}', {
    title: 'Read a workflow',
    access: ReadSettings,
    returns: item(WorkflowItem),
    load: (ctx, { id }) => findOr404(ctx, Workflows, id),
    handle: (ctx, { item: workflow }) => showOne(ctx, viewFor(ctx.actor), workflow),
  }),
  admin.put('/workflows.php?id={id}', {
    title: 'Change a workflow',
    access: Write,
    body: workflowChanges,
    returns: item(WorkflowItem.shape),
    load: (ctx, { id }) => lock(ctx, Workflows, id),
    async handle(ctx, { item: workflow, body }) {
      requireGranted(ctx, workflow);
      const saved = await updateWorkflow(ctx, workflow, body);
      requireGranted(ctx, saved.workflow);
      return showSaved(ctx, saved);
    },
  }),
  admin.delete('/workflows.php?id={id}', {
    title: 'Delete a workflow',
    access: Write,
    returns: nothing(),
    load: (ctx, { id }) => lock(ctx, Workflows, id),
    handle: (ctx, { item: workflow }) => remove(ctx, Workflows, workflow),
  }),
  admin.post('/workflows.php?action=trigger&id={id}', {
    title: 'Trigger a workflow',
    slow: true,
    access: Write,
    body: manualBody,
    returns: item(RunItem),
    load: (ctx, { id }) => findOr404(ctx, Workflows, id),
    handle(ctx, { item: workflow, body = {} }) {
      requireGranted(ctx, workflow);
      return showOne(ctx, RunItem, triggerWorkflow(ctx, workflow, body));
    },
  }),
  admin.post('/workflows.php?action=test&id={id}', {
    title: 'Test a workflow',
    addition: true,
    slow: true,
    access: Write,
    body: testBody,
    returns: item(TestShape),
    load: (ctx, { id }) => findOr404(ctx, Workflows, id),
    handle(ctx, { item: workflow, body = {} }) {
      requireGranted(ctx, workflow);
      return dryRunWorkflow(ctx, workflow, body);
    },
  }),
  admin.get('/workflows.php?action=history', {
    title: 'List workflow runs',
    access: ReadSettings,
    /** `id` is an alias of `workflow_id` (WF-07). */
    query: admin.paging({ ...RunItem.query, id: param.id() }),
    returns: list(RunItem),
    handle: (ctx, { query: { id, workflow_id = id, ...query } }) => pageOf(ctx, RunItem, { ...query, workflow_id }),
  }),
];
