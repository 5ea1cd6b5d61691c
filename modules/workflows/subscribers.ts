import { IsNull, subscriber, type Context } from '@keelson/core';
import { Workflow } from './entities.ts';
import { WorkflowDue } from './events.ts';
import { runWorkflow } from './runs/engine.ts';
import { factsWithout } from './runs/facts.ts';
import { attemptFor, ignoreSuperseded, retrySchedule } from './runs/receivers.ts';

export default [
  subscriber(
    'workflows.run-due',
    WorkflowDue,
    (ctx, { event_id, data }, { attempts }) => runDue(ctx, data.workflow_id, attemptFor(event_id, attempts)),
    { outside: true, retrySchedule },
  ),
];

async function runDue(ctx: Context, workflow_id: number, attempt: ReturnType<typeof attemptFor>): Promise<void> {
  const wanted = { workflow_id, deleted_at: IsNull(), active: true, trigger_type: 'schedule' } as const;
  const workflow = await ctx.db.findOneBy(Workflow, wanted);
  if (workflow) await ignoreSuperseded(() => runWorkflow(ctx, factsWithout(workflow, 'schedule'), attempt));
}
