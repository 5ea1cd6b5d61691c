import { addDays, input, today, z } from '@keelson/core';
import { workflowAction } from '@keelson/core/plugin';
import { WriteTickets } from './permissions.ts';
import { lockTicket } from './ticket/tickets.ts';
import { updateTicket } from './ticket/update.ts';

export default [
  workflowAction('tickets.set-due', {
    title: 'Set the due date',
    access: WriteTickets,
    needs: ['ticket_id'],
    input: z.object({
      days: input.int(0, 365).meta({ title: 'Days from now', description: '0 is today.' }),
    }),
    async run(ctx, { input: { days }, record }) {
      const due_date = addDays(today(ctx), days);
      await updateTicket(ctx, await lockTicket(ctx, Number(record['ticket_id'])), { due_date });
    },
  }),
];
