// Text messages about escalations.
import { IsNull, Not, type Context } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import { Ticket } from '@keelson/modules/tickets';
import { Escalation } from '../escalation/entities.ts';
import { recordOn } from '../escalation/escalations.ts';
import { acknowledgeLink } from '../escalation/link.ts';
import { TeamMember } from '../members/entities.ts';
import { Team } from '../teams/entities.ts';
import { hasGateway, sendText } from './gateway.ts';

/** Maximum text messages per technician; beyond it, they only get the other notifications. */
const PER_MINUTE = 3;
const LONGEST_SUBJECT = 60;

/** Returns a technician's mobile number, from any of their teams. */
async function readNumber({ db }: Context, user_id: number): Promise<string | undefined> {
  const where = { user_id, mobile: Not('') };
  return (await db.findOne(TeamMember, { where, order: { member_id: 'ASC' } }))?.mobile;
}

interface Due {
  readonly escalation_id: number;
  readonly user_id: number;
}

/** Sends the text message of an escalation that has not ended. @throws Error if the gateway rejects it */
export async function textAbout(ctx: Context, { escalation_id, user_id }: Due): Promise<void> {
  const { db, app } = ctx;
  const escalation = await db.findOneBy(Escalation, { escalation_id, ended_at: IsNull() });
  const technician = await db.findOneBy(Technician, { user_id, active: true, deleted_at: IsNull() });
  const number = await readNumber(ctx, user_id);
  if (!escalation || !technician || number === undefined || !(await hasGateway(ctx))) return;
  const team = await db.findOneBy(Team, { team_id: escalation.team_id });
  const ticket = await db.findOneBy(Ticket, { ticket_id: escalation.ticket_id });
  if (!team || !ticket) return;
  const { allowed } = await app.limiter.take(`sms:${user_id}`, PER_MINUTE);
  if (!allowed) {
    const description = `No text message to ${technician.name}, who got ${PER_MINUTE} within a minute`;
    await ctx.transaction(async (inside) => recordOn(inside, ticket.ticket_id, description));
    return;
  }
  const { ticket_number, subject } = ticket;
  const short = subject.length > LONGEST_SUBJECT ? `${subject.slice(0, LONGEST_SUBJECT)}…` : subject;
  const link = acknowledgeLink(app, { escalation_id, user_id });
  await sendText(ctx, { number, text: `${team.name}: ticket ${ticket_number} is escalated: ${short}\n${link}` });
}
