// The mail of a workflow: to people whose address is stored, or to the one an administrator saved; never to an address
// that stands in a text.
import { employeeName, sendMail, sql, type Context, type Letter } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import type { Facts } from './facts.ts';
import { numberIn } from './facts.ts';
import type { Action } from './fields.ts';
import { WorkflowMail } from './mail-templates.ts';
import type { Plan } from './plan.ts';
import { ticketFor } from './plan-ticket.ts';
import { filledIn, oneLineOf } from './words.ts';

type Mail = Extract<Action, { type: 'send_email' }>;
type Mailbox = Letter<string>['to'];

/** More of a company's people are not written to. */
const MOST = 100;

export async function planMail(ctx: Context, facts: Facts, action: Mail): Promise<Plan> {
  const to = await recipientsOf(ctx, facts, action);
  const subject = oneLineOf(ctx, facts, action.subject, 255);
  const body = filledIn(ctx, facts, action.body, 10_000);
  return {
    shown: { to: to.map((each) => each.address), subject, body },
    idle: to.length === 0 ? `There is nobody to write to: ${action.to}` : undefined,
    async act(tx) {
      const data = { message_subject: subject, message_body: body };
      for (const each of to) sendMail(tx, WorkflowMail, { to: each, data });
    },
  };
}

async function recipientsOf(ctx: Context, facts: Facts, { to, user_id }: Mail): Promise<Mailbox[]> {
  switch (to) {
    case 'requester': {
      const { requester_employee_number: number } = await ticketFor(ctx, facts);
      return number === null ? [] : contacts(ctx, sql`employee.employee_number = ${number}`);
    }
    case 'assignee':
      return technicians(ctx, (await ticketFor(ctx, facts)).assigned_to);
    case 'technician':
      return technicians(ctx, user_id ?? null);
    case 'company': {
      const number = numberIn(facts, 'company_number');
      const inCharge = sql`employee.company_number = ${number} AND (employee.ismgr = 1 OR employee.it_privileges = 1)`;
      return number === null ? [] : contacts(ctx, inCharge);
    }
    default:
      return [{ name: to, address: to }];
  }
}

async function technicians(ctx: Context, user_id: number | null): Promise<Mailbox[]> {
  if (user_id === null) return [];
  const people = await ctx.db.find(Technician, { user_id, active: true, deleted_at: null });
  return people.map(({ name, email }) => ({ name, address: email }));
}

interface Person {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
}

/** Nobody who has left is written to, nor anybody of a company that has. */
async function contacts(ctx: Context, who: ReturnType<typeof sql>): Promise<Mailbox[]> {
  const people = await ctx.db.query<Person>(sql`SELECT employee.first_name, employee.last_name, employee.email
    FROM employee JOIN company ON company.company_number = employee.company_number
      AND company.status = 'active' AND company.deleted_at IS NULL
    WHERE ${who} AND employee.status = 'Active' AND employee.deleted_at IS NULL
    ORDER BY employee.employee_number LIMIT ${MOST}`);
  return people.map((each) => ({ name: employeeName(each), address: each.email }));
}
