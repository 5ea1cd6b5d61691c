import { anyone, input, IsNull, lock, page, pages, param, z, type Context } from '@keelson/core';
import { stored } from '@keelson/core/plugin';
import { contextAs, wordingFor, type PageHttp } from '@keelson/modules/accounts';
import { TechnicianNames } from '@keelson/modules/directory';
import { Ticket } from '@keelson/modules/tickets';
import { answerAppointment, Appointments } from '../appointments/appointments.ts';
import { Appointment } from '../appointments/entities.ts';
import { readToken } from '../appointments/link.ts';
import { readFeed } from '../feeds/feeds.ts';
import { appointmentPage, deadAppointmentPage } from '../appointments/page.ts';

const answers = ['confirmed', 'declined'] as const;

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
    // Link scanners of mail servers follow every link, so only the buttons answer.
    handle: (ctx, { query: { token = '' }, http }) => byLink(ctx, http, { token }),
  }),
  pages.post('/appointment', {
    title: 'Confirm or decline an appointment with the link from its mail',
    access: anyone,
    slow: true,
    body: z.object({ token: input.secret(200), answer: input.choice(answers) }),
    returns: page(),
    handle: (ctx, { body: { token, answer }, http }) => byLink(ctx, http, { token, answer }),
  }),
];

interface Followed {
  readonly token: string;
  readonly answer?: (typeof answers)[number];
}

async function byLink(ctx: Context, http: PageHttp, { token, answer }: Followed) {
  const { tenantName: tenant } = ctx.app.config;
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
  if (!found || !ticket) return dead;
  const open = found.ends_at > ctx.now;
  const appointment =
    answer && open
      ? await person.transaction(async (inside) => {
          const locked = await lock(inside, Appointments, appointment_id);
          return locked.sequence === sequence ? answerAppointment(inside, locked, answer) : undefined;
        })
      : found;
  if (!appointment) return dead;
  const names = await ctx.app.names.get(ctx.db, TechnicianNames, [appointment.user_id]);
  const technician = names.get(appointment.user_id) ?? '';
  const { now, app } = ctx;
  return { html: appointmentPage({ wording, tenant, token, zone: app.zone, now, technician, appointment, ticket }) };
}
