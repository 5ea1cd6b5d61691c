// The demo's ticket templates, and a recurring ticket.
import { today, type App, type Context } from '@keelson/core';
import type { Author } from '@keelson/core/log';
import { contextOf } from '@keelson/core/system';
import { createRecurring, createTemplate } from '@keelson/modules/planned';
import type { Staff } from '../people.ts';

const required = (...titles: string[]) => titles.map((title) => ({ title, required: true }));
const optional = (...titles: string[]) => titles.map((title) => ({ title, required: false }));

/** Adds templates and a recurring ticket for all customers, created by the administrator. */
export async function playPlanned(
  app: App,
  { administrator: { user_id: id, name } }: Staff,
  company_numbers: readonly number[],
): Promise<void> {
  const author: Author = { type: 'technician', id, name };
  await contextOf({ app, actor: undefined, author }).transaction(async (ctx: Context) => {
    await createTemplate(ctx, {
      name: 'New employee',
      subject: 'New employee: ',
      description: 'First day, department, manager, and the equipment to prepare:',
      due_in_days: 5,
      checklist: [
        ...required('Create the account', 'Assign the licenses', 'Enroll in multi-factor authentication'),
        ...optional('Order a laptop', 'Print the badge'),
      ],
    });
    const { template_id } = await createTemplate(ctx, {
      name: 'Monthly patch day',
      subject: 'Install the monthly updates',
      priority: 4,
      due_in_days: 2,
      checklist: [
        ...required('Check the backups', 'Update the servers', 'Restart and test'),
        ...optional('Update firmware'),
      ],
    });
    await createRecurring(ctx, {
      name: 'Patch day',
      template_id,
      company_numbers: [...company_numbers],
      starts_on: today(ctx),
      time: '08:00',
      rrule: 'FREQ=MONTHLY;BYDAY=2TU',
      on_closed_days: 'move',
    });
  });
}
