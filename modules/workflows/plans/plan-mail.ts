// Workflow mails, sent only to stored addresses or one saved by an administrator, never to an address taken from text.
import { IsNull, sendMail, sql, type Context } from '@keelson/core';
import type { Letter } from '@keelson/core/system';
import { readPeopleInCharge, readRecipient, Technician } from '@keelson/modules/directory';
import type { Action } from '../definitions/fields.ts';
import { WorkflowMail } from '../mail-templates.ts';
import type { Facts } from '../runs/facts.ts';
import { numberOf } from '../runs/facts.ts';
import { ticketFor } from './plan-ticket.ts';
import type { Plan } from './planned-action.ts';
import { renderText, renderLine } from './words.ts';

type Mail = Extract<Action, { type: 'send_email' }>;
type Mailbox = Letter<string>['to'];

export async function planMail(ctx: Context, facts: Facts, action: Mail): Promise<Plan> {
  const to = await recipientsOf(ctx, facts, action);
  const subject = renderLine(ctx, facts, action.subject, 255);
  const body = renderText(ctx, facts, action.body, 10_000);
  return {
    shown: { to: to.map((each) => each.address), subject, body },
    skipReason: to.length === 0 ? `No recipient found: ${action.to}` : undefined,
    async act(tx) {
      const data = { message_subject: subject, message_body: body };
      for (const each of to) sendMail(tx, WorkflowMail, { to: each, data });
    },
  };
}

async function recipientsOf(ctx: Context, facts: Facts, { to, user_id }: Mail): Promise<Mailbox[]> {
  switch (to) {
    case 'requester': {
      const requester = await readRecipient(ctx, (await ticketFor(ctx, facts)).requester_employee_number);
      return requester ? [requester] : [];
    }
    case 'assignee':
      return technicians(ctx, (await ticketFor(ctx, facts)).assigned_to);
    case 'technician':
      return technicians(ctx, user_id ?? null);
    case 'company': {
      const number = numberOf(facts, 'company_number');
      return number === null ? [] : readPeopleInCharge(ctx, (company) => sql`${company} = ${number}`);
    }
    default:
      return [{ name: to, address: to }];
  }
}

async function technicians(ctx: Context, user_id: number | null): Promise<Mailbox[]> {
  if (user_id === null) return [];
  const people = await ctx.db.findBy(Technician, { user_id, active: true, deleted_at: IsNull() });
  return people.map(({ name, email }) => ({ name, address: email }));
}
