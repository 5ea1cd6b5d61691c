import { input, invalid, z } from '@keelson/core';
import { workflowAction } from '@keelson/core/plugin';
import { lockTicket, WriteTickets } from '@keelson/modules/tickets';
import { addItems } from './checklists/checklist.ts';
import { MOST_ITEMS, titleField } from './checklists/fields.ts';

export default [
  workflowAction('planned.add-checklist', {
    title: 'Add checklist items',
    access: WriteTickets,
    needs: ['ticket_id'],
    input: z.object({
      items: input.longText(8000).meta({ title: 'Items', description: 'One item per line.' }),
      required: input.optional(input.flag()).meta({ title: 'Required before closing' }),
    }),
    async run(ctx, { input: { items, required = false }, record }) {
      const titles = items.split('\n').flatMap((each) => each.trim() || []);
      if (titles.length > MOST_ITEMS) throw invalid(`items must be at most ${MOST_ITEMS} lines`);
      if (titles.some((each) => !titleField.safeParse(each).success))
        throw invalid('Each line of items must be at most 255 characters');
      const ticket = await lockTicket(ctx, Number(record['ticket_id']));
      await addItems(
        ctx,
        ticket,
        titles.map((title) => ({ title, required })),
      );
    },
  }),
];
