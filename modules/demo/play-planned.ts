// The demo's ticket templates.
import { createTemplate } from '@keelson/modules/planned';
import type { App, Context } from '@keelson/core';
import { contextOf } from '@keelson/core/system';
import type { Author } from '@keelson/core/log';
import type { Staff } from './people.ts';

const required = (...titles: string[]) => titles.map((title) => ({ title, required: true }));
const optional = (...titles: string[]) => titles.map((title) => ({ title, required: false }));

/** Adds templates by the administrator. */
export async function playPlanned(app: App, { administrator: { user_id: id, name } }: Staff): Promise<void> {
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
    await createTemplate(ctx, {
      name: 'Monthly patch day',
      subject: 'Install the monthly updates',
      priority: 4,
      due_in_days: 2,
      checklist: [
        ...required('Check the backups', 'Update the servers', 'Restart and test'),
        ...optional('Update firmware'),
      ],
    });
  });
}
