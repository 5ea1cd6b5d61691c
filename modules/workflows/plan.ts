// Plans of actions, made without any effect: a run carries them out, a dry run shows them.
import type { Context } from '@keelson/core';
import type { Facts } from './facts.ts';
import type { Action } from './fields.ts';
import { planMail } from './plan-mail.ts';
import { planAssignment, planChange, planComment, planNewTicket } from './plan-ticket.ts';
import { planWebhook } from './plan-webhook.ts';

export interface Plan {
  /** As a dry run shows it. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** Why there is nothing to do, such as no recipient: the action is skipped. */
  readonly skipReason?: string | undefined;
  /** Carries it out: in a transaction, or outside of one for what leaves the database. */
  readonly act: (ctx: Context, call: Call) => Promise<unknown>;
}

/** Identifies an action of a run; the same for every attempt. */
export interface Call {
  readonly run_id: number;
  readonly event_id: string;
  readonly position: number;
}

/** Such an action runs outside a transaction and may happen twice. */
export const leavesDatabase = ({ type }: Action): boolean => type === 'call_webhook';

/** Why an action failed, for the history; `temporary` when it may work a little later. */
export class ActionFailed extends Error {
  readonly temporary: boolean;
  constructor(message: string, { temporary = false } = {}) {
    super(message);
    this.temporary = temporary;
  }
}

/** Inside a transaction it locks what will be changed. @throws Problem, ActionFailed when it cannot be done */
export function planAction(ctx: Context, facts: Facts, action: Action): Promise<Plan> {
  switch (action.type) {
    case 'set_status':
      return planChange(ctx, facts, { status: action.status });
    case 'set_priority':
      return planChange(ctx, facts, { priority: action.priority });
    case 'assign':
      return planAssignment(ctx, facts, action.assigned_to);
    case 'add_comment':
      return planComment(ctx, facts, action);
    case 'create_ticket':
      return planNewTicket(ctx, facts, action);
    case 'send_email':
      return planMail(ctx, facts, action);
    case 'call_webhook':
      return planWebhook(ctx, facts, action);
  }
}
