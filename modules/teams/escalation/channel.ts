// Posts escalations to a team's channel in Slack or Microsoft Teams, through the channel's incoming webhook.
import type { Context } from '@keelson/core';
import { explained } from '@keelson/core/kit';
import { Ticket } from '@keelson/modules/tickets';
import { Team, type Channel } from '../teams/entities.ts';
import { Escalation } from './entities.ts';

const CONTEXT = 'channel of a team';

/** Seals a channel's webhook URL, which is a secret because anyone who has it can post. */
export const sealChannel = ({ app }: Context, url: string): string => app.vault.seal(url, CONTEXT);

/**
 * Posts an escalation that has not ended.
 * @throws Error if the channel rejects it
 */
export async function postToChannel(ctx: Context, escalation_id: number): Promise<void> {
  const { db, app } = ctx;
  const escalation = await db.findOneBy(Escalation, { escalation_id });
  if (!escalation || escalation.ended_at !== null) return;
  const team = await db.findOneBy(Team, { team_id: escalation.team_id });
  const ticket = await db.findOneBy(Ticket, { ticket_id: escalation.ticket_id });
  if (!team || !ticket || team.channel_url === null) return;
  const { ticket_number, subject } = ticket;
  const url = `${app.config.baseUrl}/admin/tickets/${ticket_number}`;
  const body = JSON.stringify(
    messageFor(team.channel, `${team.name}: ticket ${ticket_number} is escalated`, subject, url),
  );
  const headers = { 'Content-Type': 'application/json' };
  const { status } = await app.egress.request(app.vault.open(team.channel_url, CONTEXT), {
    method: 'POST',
    headers,
    body,
  });
  if (status < 200 || status > 299)
    throw new Error(explained(`The channel of team ${team.team_id} answered ${status}`));
}

function messageFor(channel: Channel, title: string, subject: string, url: string): unknown {
  if (channel === 'slack') return { text: `*${escaped(title)}*\n${escaped(subject)}\n${url}` };
  const text = (said: string, more: object = {}) => ({ type: 'TextBlock', text: said, wrap: true, ...more });
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [text(title, { weight: 'Bolder' }), text(subject)],
    actions: [{ type: 'Action.OpenUrl', title: 'Open ticket', url }],
  };
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }] };
}

/** Slack treats these three characters as markup, so a subject could mention everyone in the channel. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
