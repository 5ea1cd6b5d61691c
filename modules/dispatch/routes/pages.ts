import {
  anyone,
  input,
  invalid,
  IsNull,
  lock,
  page,
  pages,
  param,
  Problem,
  z,
  type Context,
  type Timestamp,
} from '@keelson/core';
import { stored } from '@keelson/core/plugin';
import { contextAs, providerName, wordingFor, type PageHttp } from '@keelson/modules/accounts';
import { TechnicianNames } from '@keelson/modules/directory';
import { Ticket } from '@keelson/modules/tickets';
import { answerAppointment, Appointments } from '../appointments/appointments.ts';
import { Appointment } from '../appointments/entities.ts';
import { readFreeTimes } from '../appointments/free-times.ts';
import { readToken, tokenOf } from '../appointments/link.ts';
import { moveByCustomer } from '../appointments/move.ts';
import { appointmentPage, deadAppointmentPage } from '../appointments/page.ts';
import { readFeed } from '../feeds/feeds.ts';

const answers = ['confirmed', 'declined', 'moved'] as const;

export default [
  pages.get('/calendar-feed', {
    title: 'Read a calendar feed at its secret address',
    access: anyone,
    query: z.object({ token: param.text(200) }),
    returns: stored(),
    handle: (ctx, { query: { token = '' } }) => readFeed(ctx, token),
  }),
  pages.get('/appointment', {
    title: 'Show the page for confirming an appointment',
    access: anyone,
    query: z.object({ token: param.text(200) }),
    returns: page(),
    // Mail servers' link scanners follow every link, so only the buttons submit an answer.
    handle: (ctx, { query: { token = '' }, http }) => byLink(ctx, http, { token }),
  }),
  pages.post('/appointment', {
    title: 'Confirm, decline or move an appointment with the link from its mail',
    access: anyone,
    slow: true,
    body: z.object({
      token: input.secret(200),
      answer: input.choice(answers),
      /** The new time, to move it. */
      starts_at: input.optional(input.timestamp()),
    }),
    returns: page(),
    handle: (ctx, { body, http }) => byLink(ctx, http, body),
  }),
];

interface Followed {
  readonly token: string;
  readonly answer?: (typeof answers)[number];
  readonly starts_at?: Timestamp | undefined;
}

async function byLink(ctx: Context, http: PageHttp, { token, ...given }: Followed) {
  const tenant = await providerName(ctx);
  const named = readToken(ctx.app, token);
  const wording = await wordingFor(ctx, http, named && { employee_number: named.employee_number });
  const dead = { status: 404, html: deadAppointmentPage(wording, tenant) };
  const person = named && (await contextAs(ctx.app, { type: 'employee', id: named.employee_number }));
  if (!named || !person) return dead;
  const { appointment_id, employee_number, sequence } = named;
  const read = () => person.db.findOneBy(Appointment, { appointment_id, employee_number, sequence });
  const found = await read();
  const ticket =
    found?.ticket_id && (await person.db.findOneBy(Ticket, { ticket_id: found.ticket_id, deleted_at: IsNull() }));
  // A contact who has moved to another company keeps the mail.
  if (!found || !ticket || ticket.company_number !== person.actor.company_number) return dead;
  const open = found.ends_at > ctx.now;
  let refused = false;
  const appointment =
    given.answer && open
      ? await person
          .transaction(async (inside) => {
            const locked = await lock(inside, Appointments, appointment_id);
            return locked.sequence === sequence ? apply(inside, locked, given) : undefined;
          })
          .catch((error: unknown) => {
            if (!(error instanceof Problem && error.kind === 'conflict')) throw error;
            refused = true;
            return found;
          })
      : found;
  if (!appointment) return dead;
  const names = await ctx.app.names.get(ctx.db, TechnicianNames, [appointment.user_id]);
  const technician = names.get(appointment.user_id) ?? '';
  const { now, app } = ctx;
  const times = await readFreeTimes(ctx, appointment);
  // A move invalidates the link that was followed.
  const current = tokenOf(app, { appointment_id, employee_number, sequence: appointment.sequence });
  const shown = { wording, tenant, token: current, zone: app.zone, now, technician, appointment, ticket };
  return { status: refused ? 409 : 200, html: appointmentPage({ ...shown, times, refused }) };
}

function apply(ctx: Context, locked: Appointment, { answer, starts_at }: Omit<Followed, 'token'>) {
  if (answer !== 'moved') return answer ? answerAppointment(ctx, locked, answer) : locked;
  if (starts_at === undefined) throw invalid('starts_at is required to move the appointment');
  return moveByCustomer(ctx, locked, starts_at);
}
