// Runs due escalation steps, exactly once with any number of processes.
import { announceChange, In, IsNull, LessThanOrEqual, plus, sendMail, type Context } from '@keelson/core';
import { eachApart, explained } from '@keelson/core/kit';
import { Technician, TechnicianNames } from '@keelson/modules/directory';
import { readOpening } from '@keelson/modules/levels';
import { Ticket } from '@keelson/modules/tickets';
import { TeamChannelDue, TeamEscalated, TeamTextDue } from '../events.ts';
import { EscalationMail } from '../mail-templates.ts';
import { readAvailable } from '../members/members.ts';
import { readOnCall } from '../rota/on-call.ts';
import { Team } from '../teams/entities.ts';
import { Escalation, type EscalationStep } from './entities.ts';
import { endEscalation, readSteps, recordOn } from './escalations.ts';
import { acknowledgeLink } from './link.ts';
import { nextStep } from './next-step.ts';

const AT_ONCE = 100;
/** Delay before a chain that notified no one, because no one was available, runs again. */
const NEXT_ROUND = { minutes: 5 } as const;
/** Delay before a failed step is retried, so that it does not hold up the others. */
const PUT_OFF = { minutes: 1 } as const;

/**
 * Runs due steps, each in its own short transaction.
 * @throws AggregateError naming those that failed, once the others are done
 */
export async function runDue(outside: Context<undefined>): Promise<void> {
  const { db, now } = outside;
  const order = { next_at: 'ASC', escalation_id: 'ASC' } as const;
  const due = await db.find(Escalation, { where: { next_at: LessThanOrEqual(now) }, order, take: AT_ONCE });
  await eachApart(
    due,
    ({ escalation_id }) => `escalation ${escalation_id}`,
    (each) =>
      outside
        .transaction((ctx) => runStep(ctx, each))
        .catch(async (error: unknown) => {
          const { escalation_id } = each;
          // Someone may have acknowledged it meanwhile.
          const running = { escalation_id, ended_at: IsNull() };
          const next_at = plus(now, PUT_OFF);
          await outside.transaction((ctx) => ctx.db.update(Escalation, running, { next_at }));
          throw error;
        }),
  );
}

async function runStep(ctx: Context, { escalation_id, next_at }: Escalation): Promise<void> {
  const lock = { mode: 'pessimistic_write' } as const;
  // Another process may have come first, or someone may have acknowledged it.
  const escalation = await ctx.db.findOne(Escalation, { where: { escalation_id, ended_at: IsNull() }, lock });
  if (!escalation || escalation.next_at !== next_at) return;
  const { team_id, ticket_id } = escalation;
  const team = await ctx.db.findOneBy(Team, { team_id, deleted_at: IsNull() });
  const ticket = await ctx.db.findOneBy(Ticket, { ticket_id, team_id, deleted_at: IsNull() });
  if (!team || !ticket || ticket.status === 'closed') return endEscalation(ctx, escalation_id);
  const opening = team.quiet_hours && team.calendar_id !== null ? await readOpening(ctx, team.calendar_id) : ctx.now;
  if (opening > ctx.now) {
    await ctx.db.update(Escalation, { escalation_id }, { next_at: opening });
    return;
  }
  const steps = await readSteps(ctx, team_id);
  const step = nextStep(steps, escalation);
  if (!step) {
    await ctx.db.update(Escalation, { escalation_id }, { next_at: null });
    return;
  }
  const reached = await notifyAbout(ctx, escalation, { team, ticket, step });
  await ctx.db.update(Escalation, { escalation_id }, following(ctx, escalation, { steps, step, reached }));
}

interface Ran {
  readonly steps: readonly EscalationStep[];
  readonly step: EscalationStep;
  /** Whether the step notified anyone. */
  readonly reached: boolean;
}

/**
 * Returns what follows a step: the next one after its delay, or immediately if no one was available. After the last
 * step, the chain repeats if it has notified no one.
 */
function following({ now }: Context, escalation: Escalation, { steps, step, reached }: Ran): Partial<Escalation> {
  const heard = escalation.heard || reached;
  const last = { last_minutes: step.after_minutes, last_step: step.step_id };
  const next = nextStep(steps, last);
  if (next) {
    // Counted from when this step was due, because it may have been delayed until business hours.
    const minutes = next.after_minutes - step.after_minutes;
    return { ...last, heard, next_at: reached ? plus(escalation.next_at ?? now, { minutes }) : now };
  }
  if (heard) return { ...last, heard, next_at: null };
  const unheard_rounds = escalation.unheard_rounds + 1;
  return { last_minutes: -1, last_step: 0, unheard_rounds, next_at: plus(now, NEXT_ROUND) };
}

interface About {
  readonly team: Team;
  readonly ticket: Ticket;
  readonly step: EscalationStep;
}

/** Notifies the technicians of a step, and returns whether there were any. */
async function notifyAbout(
  ctx: Context,
  { escalation_id, unheard_rounds }: Escalation,
  { team, ticket, step }: About,
): Promise<boolean> {
  const { ticket_id, ticket_number, subject } = ticket;
  const people = await readAudience(ctx, team, step);
  const user_ids = people.map(({ user_id }) => user_id);
  if (people.length > 0) ctx.emit(TeamEscalated, { ticket_id, user_ids, author_name: team.name });
  if (step.by_mail)
    for (const { user_id, name, email: address } of people)
      sendMail(ctx, EscalationMail, {
        to: { name, address },
        data: {
          team_name: team.name,
          ticket_number,
          subject,
          ticket_url: `${ctx.app.config.baseUrl}/admin/tickets/${ticket_number}`,
          acknowledge_url: acknowledgeLink(ctx.app, { escalation_id, user_id }),
        },
      });
  if (step.by_sms) for (const user_id of user_ids) ctx.emit(TeamTextDue, { escalation_id, user_id });
  const inChannel = step.to_channel && team.channel_url !== null;
  if (inChannel) ctx.emit(TeamChannelDue, { escalation_id, step_id: step.step_id });
  const reached = people.length > 0 || inChannel;
  // Record only once that no one was available.
  if (!reached && unheard_rounds > 0) return false;
  const names = await ctx.app.names.get(ctx.db, TechnicianNames, user_ids);
  const told = user_ids.map((each) => names.get(each) ?? '').join(', ');
  announceChange(ctx, { of: Ticket, row: ticket, kind: 'changed', internal: true });
  const channel = inChannel ? explained('the team’s channel') : explained('nobody, because nobody is available');
  recordOn(ctx, ticket_id, `Escalated to ${told || channel}`);
  return reached;
}

/** Returns the active technicians whom a step notifies. */
async function readAudience(ctx: Context, team: Team, { notify, user_id }: EscalationStep) {
  const onCall = notify === 'on_call' ? await readOnCall(ctx, team) : user_id;
  const members = notify === 'team' ? (await readAvailable(ctx, team.team_id)).map((each) => each.user_id) : [onCall];
  const ids = members.filter((each) => each !== null);
  if (ids.length === 0) return [];
  return ctx.db.findBy(Technician, { user_id: In(ids), active: true, deleted_at: IsNull() });
}
