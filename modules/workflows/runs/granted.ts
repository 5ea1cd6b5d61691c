// A workflow runs with system privileges, so its author must hold the permissions it uses.
import { forbidden, type Admin, type Context } from '@keelson/core';
import { requireReadableEvents } from '@keelson/core/plugin';
import { WriteTickets } from '@keelson/modules/tickets';
import type { Workflow } from '../entities.ts';
import { pluginActions } from '../plans/plugin-actions.ts';
import { subjectOf } from './facts.ts';

type Used = Pick<Workflow, 'trigger_type' | 'event'> & {
  readonly actions: readonly { readonly type: string; readonly name?: string }[];
};

const elsewhere: ReadonlySet<string> = new Set(['send_email', 'call_webhook', 'plugin_action']);

/**
 * Checks that the caller may perform the workflow.
 * @throws forbidden() without permission for its actions or for reading its records
 */
export function requireGranted(ctx: Context<Admin>, workflow: Used): void {
  const subject = subjectOf(workflow);
  if (subject !== null) requireReadableEvents(ctx, 'admin', [subject]);
  const writes = workflow.actions.find(({ type }) => !elsewhere.has(type));
  if (writes && !WriteTickets.allows(ctx.actor))
    throw forbidden(`The action ${writes.type} requires the permission tickets:write`);
  for (const { type, name = '' } of workflow.actions) {
    const declared = type === 'plugin_action' ? pluginActions(ctx.app).get(name) : undefined;
    if (declared && !declared.access.allows(ctx.actor))
      throw forbidden(`The action ${name} requires ${declared.access.title}`);
  }
}
