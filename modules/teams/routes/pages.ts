import { anyone, input, IsNull, page, pages, param, z, type Context } from '@keelson/core';
import { contextAs, providerName, wordingFor, type PageHttp } from '@keelson/modules/accounts';
import { Ticket } from '@keelson/modules/tickets';
import { Escalation } from '../escalation/entities.ts';
import { acknowledge, lockEscalation } from '../escalation/escalations.ts';
import { readToken } from '../escalation/link.ts';
import { deadEscalationPage, escalationPage } from '../escalation/page.ts';

export default [
  pages.get('/escalation', {
    title: 'Show the page for acknowledging an escalation',
    access: anyone,
    query: z.object({ token: param.text(200) }),
    returns: page(),
    // Mail servers' link scanners follow every link, so only the button acknowledges.
    handle: (ctx, { query: { token = '' }, http }) => byLink(ctx, http, { token, acknowledging: false }),
  }),
  pages.post('/escalation', {
    title: 'Acknowledge an escalation with the link from its mail',
    access: anyone,
    slow: true,
    body: z.object({ token: input.secret(200) }),
    returns: page(),
    handle: (ctx, { body: { token }, http }) => byLink(ctx, http, { token, acknowledging: true }),
  }),
];

interface Followed {
  readonly token: string;
  readonly acknowledging: boolean;
}

async function byLink(ctx: Context, http: PageHttp, { token, acknowledging }: Followed) {
  const tenant = await providerName(ctx);
  const named = readToken(ctx.app, token);
  const wording = await wordingFor(ctx, http, named && { user_id: named.user_id });
  const dead = { status: 404, html: deadEscalationPage(wording, tenant) };
  const person = named && (await contextAs(ctx.app, { type: 'technician', id: named.user_id }));
  if (!named || !person) return dead;
  const { escalation_id, user_id } = named;
  const found = await person.db.findOneBy(Escalation, { escalation_id });
  const ticket = found && (await person.db.findOneBy(Ticket, { ticket_id: found.ticket_id, deleted_at: IsNull() }));
  if (!found || !ticket) return dead;
  const escalation = acknowledging
    ? await person.transaction(async (inside) =>
        acknowledge(inside, await lockEscalation(inside, escalation_id), user_id),
      )
    : found;
  return { html: escalationPage({ wording, tenant, token, escalation, ticket }) };
}
