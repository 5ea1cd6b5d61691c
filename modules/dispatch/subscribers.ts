import { IsNull, sendMail, subscriber } from '@keelson/core';
import { storeAttachment } from '@keelson/core/mail';
import { worded } from '@keelson/core/plugin';
import { readRecipient, TechnicianNames } from '@keelson/modules/directory';
import { Ticket } from '@keelson/modules/tickets';
import { titles } from './appointments/appointments.ts';
import { Appointment } from './appointments/entities.ts';
import { appointmentLink } from './appointments/link.ts';
import { spanInWords } from './appointments/words.ts';
import { AppointmentNotice } from './events.ts';
import { icsOf } from './ics.ts';
import {
  AppointmentAgreedMail,
  AppointmentAskedMail,
  AppointmentCancelledMail,
  AppointmentMovedMail,
  AppointmentReassignedMail,
} from './mail-templates.ts';

const templates = {
  asked: AppointmentAskedMail,
  moved: AppointmentMovedMail,
  agreed: AppointmentAgreedMail,
  reassigned: AppointmentReassignedMail,
} as const;

export default [
  subscriber('dispatch.mail', AppointmentNotice, async (ctx, { data, at, event_id }) => {
    const { kind, type, appointment_id, ticket_id, employee_number, sequence, starts_at, ends_at, note } = data;
    const current = await ctx.db.findOneBy(Appointment, { appointment_id });
    // Moved or cancelled since, or taken by yet another technician; a later notice covers it.
    if (kind !== 'cancelled' && current?.sequence !== sequence) return;
    if (kind === 'reassigned' && current?.user_id !== data.user_id) return;
    const to = await readRecipient(ctx, employee_number);
    // The appointments of a deleted ticket are cancelled.
    const ticket = await ctx.db.findOneBy(Ticket, { ticket_id, ...(kind !== 'cancelled' && { deleted_at: IsNull() }) });
    if (!to || !ticket) return;
    const { ticket_number, subject } = ticket;
    const user_id = current?.user_id ?? data.user_id;
    const technician_name = (await ctx.app.names.get(ctx.db, TechnicianNames, [user_id])).get(user_id) ?? '';
    const what = titles[type];
    const { t } = ctx.app.wording(await ctx.app.languageOf(ctx, { employee_number }));
    const cancelled = kind === 'cancelled';
    const file = icsOf(ctx.app, {
      name: t(what),
      method: cancelled ? 'CANCEL' : 'PUBLISH',
      events: [
        {
          key: `appointment-${appointment_id}`,
          sequence: cancelled ? sequence + 1 : sequence,
          span: [starts_at, ends_at],
          summary: `${t(what)}: ${subject}`,
          description: [technician_name, note].filter(Boolean).join('\n'),
          url: `${ctx.app.config.baseUrl}/helpdesk/tickets/${ticket_number}`,
          status: cancelled ? 'CANCELLED' : current?.confirmation === 'confirmed' ? 'CONFIRMED' : 'TENTATIVE',
          changed_at: at,
        },
      ],
    });
    const attachment_id = `appointment-${event_id}`.slice(0, 40);
    await storeAttachment(ctx, {
      attachment_id,
      name: 'appointment.ics',
      type: `text/calendar; charset=utf-8; method=${cancelled ? 'CANCEL' : 'PUBLISH'}`,
      bytes: Buffer.from(file),
    });
    const facts = {
      what: worded(what),
      when: spanInWords(data, ctx.app.zone),
      technician_name,
      ticket_number,
      subject,
      note,
    };
    const letter = { to, attachment_id };
    if (cancelled) return void sendMail(ctx, AppointmentCancelledMail, { ...letter, data: facts });
    const answer_url = appointmentLink(ctx.app, { appointment_id, employee_number, sequence });
    sendMail(ctx, templates[kind], { ...letter, data: { ...facts, answer_url } });
  }),
];
