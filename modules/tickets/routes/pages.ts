import { anyone, input, page, pages, param, Problem, z, type Context, type EmployeeActor } from '@keelson/core';
import { contextAs, providerName, wordingFor, type PageHttp } from '@keelson/modules/accounts';
import { EmployeeNames } from '@keelson/modules/directory';
import { readToken } from '../approvals/approval-link.ts';
import { approvalPage, deadApprovalPage } from '../approvals/approval-page.ts';
import { approveTicket, rejectTicket } from '../approvals/approval.ts';
import type { Ticket } from '../entities.ts';
import { findTicket, isVisible, lockVisibleTicket } from '../ticket/tickets.ts';

const tokenField = input.secret(200);

export default [
  pages.get('/approval', {
    title: 'Show the page for deciding on a request',
    access: anyone,
    query: z.object({ token: param.text(200) }),
    returns: page(),
    // Mail servers' link scanners follow every link, so only the buttons decide.
    handle: (ctx, { query: { token = '' }, http }) => byLink(ctx, { token, http }),
  }),
  pages.post('/approval', {
    title: 'Approve a ticket with the link from its mail',
    access: anyone,
    slow: true,
    body: z.object({ token: tokenField }),
    returns: page(),
    handle: (ctx, { body: { token }, http }) => byLink(ctx, { token, http }, approveTicket),
  }),
  pages.post('/approval/reject', {
    title: 'Reject a ticket with the link from its mail',
    access: anyone,
    slow: true,
    body: z.object({ token: tokenField, reason: input.optionalText(4000) }),
    returns: page(),
    handle: (ctx, { body: { token, reason = '' }, http }) =>
      byLink(ctx, { token, http }, (manager, ticket) => rejectTicket(manager, ticket, reason)),
  }),
];

interface Followed {
  readonly token: string;
  readonly http: PageHttp;
}
type Decide = (manager: Context<EmployeeActor>, ticket: Ticket) => Promise<Ticket>;

/** Decides as the manager in a token, who must still be one for the ticket's requester (T-05). */
async function byLink(ctx: Context, { token, http }: Followed, decide?: Decide) {
  const tenant = await providerName(ctx);
  const named = readToken(ctx.app, token);
  const wording = await wordingFor(ctx, http, named && { employee_number: named.employee_number });
  const manager = named && (await contextAs(ctx.app, { type: 'employee', id: named.employee_number }));
  const dead = { status: 404, html: deadApprovalPage(wording, tenant) };
  if (!named || !manager?.actor.ismgr || !(await isVisible(manager, named.ticket_id, 'team'))) return dead;
  const shown = async (error?: string) => {
    const ticket = await findTicket(manager, named.ticket_id);
    const requester = ticket.requester_employee_number ?? 0;
    const names = await ctx.app.names.get(manager.db, EmployeeNames, [requester]);
    return approvalPage({ wording, tenant, token, ticket, requester_name: names.get(requester) ?? '', error });
  };
  try {
    if (decide)
      await manager.transaction(async (inside) =>
        decide(inside, await lockVisibleTicket(inside, named.ticket_id, 'team')),
      );
    return { html: await shown() };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.kind === 'not-found') return dead;
    return { status: 409, html: await shown(wording.find(error.message)) };
  }
}
