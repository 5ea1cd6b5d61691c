// Webhook actions, signed and sent like other webhooks to the URL saved by an administrator.
import type { Context } from '@keelson/core';
import { messageOf } from '@keelson/core/kit';
import { postWebhook, publicData, signingKey } from '@keelson/core/system';
import type { Action } from '../definitions/fields.ts';
import type { Facts } from '../runs/facts.ts';
import { ActionFailed, type Plan } from './planned-action.ts';
import { openSecret } from './secrets.ts';

type Webhook = Extract<Action, { type: 'call_webhook' }>;

export async function planWebhook(ctx: Context, facts: Facts, { url, secret }: Webhook): Promise<Plan> {
  const problem = ctx.app.egress.check(url);
  if (problem !== undefined) throw new ActionFailed(problem);
  if (secret === undefined) throw new ActionFailed('The webhook no longer has a secret');
  const { workflow, trigger, event, record, entity_type, entity_id } = facts;
  const data = {
    workflow_id: workflow.workflow_id,
    workflow_name: workflow.name,
    trigger,
    event: trigger === 'event' ? event : null,
    entity_type,
    entity_id,
    record: record === null || event === null ? null : publicData(ctx.app, event, record),
  };
  return {
    shown: { url, data },
    async act(outside, { run_id, event_id, position }) {
      const { now, app } = outside;
      const message = { event: 'workflow.run', timestamp: now, data: { run_id, ...data } };
      const ids = { event_id: `${event_id}-${position}`, delivery_id: `workflow-run-${run_id}-${position}` };
      const keys = [signingKey(openSecret(app, workflow, secret))] as const;
      await postWebhook(app.egress, { url, message, ...ids, keys, now }).catch((error: unknown) => {
        // Receiver, network and DNS errors are usually temporary.
        throw new ActionFailed(messageOf(error), { temporary: true });
      });
    },
  };
}
