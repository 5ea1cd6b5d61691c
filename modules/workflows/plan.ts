// What an action is going to do, found out without doing anything: a run then does it, a dry run shows it.
import type { Context } from '@keelson/core';
import type { Facts } from './facts.ts';
import type { Action } from './fields.ts';
import { planMail } from './plan-mail.ts';
import { planAssignment, planChange, planComment, planNewTicket } from './plan-ticket.ts';
import { planWebhook } from './plan-webhook.ts';

export interface Plan {
  /** As a dry run shows it. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** Why there is nothing to do: an action that nobody is there for is passed over. */
  readonly idle?: string | undefined;
  /** Does it: in a transaction, or outside of one for what leaves the database. */
  readonly act: (ctx: Context, call: Call) => Promise<unknown>;
}

/** Which action of which run: the same, however often it has to be tried. */
export interface Call {
  readonly run_id: number;
  readonly event_id: string;
  readonly position: number;
}

/** It is done outside a transaction, and may happen twice. */
export const leaves = ({ type }: Action): boolean => type === 'call_webhook';

/** Why an action failed, for the history; `passing` when it may work a little later. */
export class ActionFailed extends Error {
  readonly passing: boolean;
  constructor(message: string, { passing = false } = {}) {
    super(message);
    this.passing = passing;
  }
}

/** Inside a transaction it locks what it is going to change. @throws Problem, ActionFailed when it cannot be done */
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
