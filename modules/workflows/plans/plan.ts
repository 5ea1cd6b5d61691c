// Action plans without side effects: a run executes them, a dry run displays them.
import type { Context } from '@keelson/core';
import type { Action } from '../definitions/fields.ts';
import type { Facts } from '../runs/facts.ts';
import { planMail } from './plan-mail.ts';
import { planAssignment, planChange, planChild, planComment, planNewTicket, planTeam } from './plan-ticket.ts';
import { planWebhook } from './plan-webhook.ts';
import type { Plan } from './planned-action.ts';
import { planPluginAction } from './plugin-actions.ts';

/** Returns whether an action runs outside a transaction, and so may happen twice. */
export const leavesDatabase = ({ type }: Action): boolean => type === 'call_webhook';

/**
 * Plans an action. Within a transaction, locks the rows to change.
 * @throws Problem, ActionFailed if it is impossible
 */
export function planAction(ctx: Context, facts: Facts, action: Action): Promise<Plan> {
  switch (action.type) {
    case 'set_status':
      return planChange(ctx, facts, { status: action.status });
    case 'set_priority':
      return planChange(ctx, facts, { priority: action.priority });
    case 'set_team':
      return planTeam(ctx, facts, action.team_id);
    case 'assign':
      return planAssignment(ctx, facts, action.assigned_to);
    case 'add_comment':
      return planComment(ctx, facts, action);
    case 'create_ticket':
      return planNewTicket(ctx, facts, action);
    case 'create_child':
      return planChild(ctx, facts, action);
    case 'send_email':
      return planMail(ctx, facts, action);
    case 'call_webhook':
      return planWebhook(ctx, facts, action);
    case 'plugin_action':
      return planPluginAction(ctx, facts, action);
  }
}
