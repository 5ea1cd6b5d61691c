import { admin, administrators, all, created, item, list, nothing, param } from '@keelson/core';
import { ReadSettings, WriteSettings } from '@keelson/modules/system';
import { triggerWorkflow, tryWorkflow } from '../by-hand.ts';
import { runStates } from '../entities.ts';
import { manualBody, newWorkflow, testBody, workflowChanges } from '../fields.ts';
import { listRuns } from '../runs.ts';
import { RunShape, shownRun, shownSaved, shownTo, TestShape, WorkflowShape } from '../shapes.ts';
import {
  createWorkflow,
  deleteWorkflow,
  findWorkflow,
  listWorkflows,
  lockWorkflow,
  updateWorkflow,
} from '../workflows.ts';

const Write = administrators(WriteSettings);

export default [
  admin.get('/workflows.php', {
    title: 'List workflows',
    access: ReadSettings,
    returns: all(WorkflowShape),
    handle: async (ctx) => (await listWorkflows(ctx)).map((each) => shownTo(ctx.actor, each)),
  }),
  admin.post('/workflows.php', {
    title: 'Create a workflow',
    access: Write,
    body: newWorkflow,
    returns: created(WorkflowShape),
    handle: async (ctx, { body }) => shownSaved(await createWorkflow(ctx, body)),
  }),
  admin.get('/workflows.php?id={id}', {
    title: 'Read a workflow',
    access: ReadSettings,
    returns: item(WorkflowShape),
    load: (ctx, { id }) => findWorkflow(ctx, id),
    handle: ({ actor }, { item: workflow }) => shownTo(actor, workflow),
  }),
  admin.put('/workflows.php?id={id}', {
    title: 'Change a workflow',
    access: Write,
    body: workflowChanges,
    returns: item(WorkflowShape),
    load: (ctx, { id }) => lockWorkflow(ctx, id),
    handle: async (ctx, { item: workflow, body }) => shownSaved(await updateWorkflow(ctx, workflow, body)),
  }),
  admin.delete('/workflows.php?id={id}', {
    title: 'Delete a workflow',
    access: Write,
    returns: nothing(),
    load: (ctx, { id }) => lockWorkflow(ctx, id),
    handle: (ctx, { item: workflow }) => deleteWorkflow(ctx, workflow),
  }),
  admin.post('/workflows.php?action=trigger&id={id}', {
    title: 'Trigger a workflow',
    slow: true,
    access: Write,
    body: manualBody,
    returns: item(RunShape),
    load: (ctx, { id }) => findWorkflow(ctx, id),
    handle: async (ctx, { item: workflow, body = {} }) => shownRun(await triggerWorkflow(ctx, workflow, body)),
  }),
  admin.post('/workflows.php?action=test&id={id}', {
    title: 'Try what a workflow would do',
    addition: true,
    slow: true,
    access: Write,
    body: testBody,
    returns: item(TestShape),
    load: (ctx, { id }) => findWorkflow(ctx, id),
    handle: (ctx, { item: workflow, body = {} }) => tryWorkflow(ctx, workflow, body),
  }),
  admin.get('/workflows.php?action=history', {
    title: 'List the runs of workflows',
    access: ReadSettings,
    query: admin.paging({
      workflow_id: param.id(),
      id: param.id(),
      status: param.choice(runStates, { all: true }),
    }),
    returns: list(RunShape),
    async handle(ctx, { query }) {
      const { rows, total } = await listRuns(ctx, query);
      return { rows: rows.map(shownRun), total };
    },
  }),
];
