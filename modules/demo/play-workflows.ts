// The demo's workflows: routine work that the provider automates.
import { createWorkflow } from '@keelson/modules/workflows';
import type { App } from '@keelson/core';
import { contextOf } from '@keelson/core/system';
import type { Staff } from './people.ts';

/** Adds an active workflow, and a disabled one. */
export async function playWorkflows(app: App, { administrator, technician }: Staff): Promise<void> {
  const { user_id: id, name } = administrator;
  const ctx = contextOf({ app, actor: undefined, author: { type: 'technician', id, name } });
  await ctx.transaction((inside) =>
    createWorkflow(inside, {
      name: 'Critical tickets go to the first line at once',
      description: 'A server that is down does not wait for the morning.',
      trigger: { type: 'event', event: 'ticket.created' },
      conditions: [{ field: 'priority', operator: 'eq', value: 1 }],
      actions: [
        { type: 'assign', assigned_to: technician.user_id },
        { type: 'add_comment', comment: 'Assigned at once, for it is critical.', is_internal: true },
      ],
    }),
  );
  await ctx.transaction((inside) =>
    createWorkflow(inside, {
      name: 'Tell the requester when a ticket waits',
      active: false,
      trigger: { type: 'event', event: 'ticket.updated' },
      conditions: [
        { field: 'status', operator: 'changed' },
        { field: 'status', operator: 'eq', value: 'on_hold' },
      ],
      actions: [
        {
          type: 'send_email',
          to: 'requester',
          subject: 'Ticket {{ ticket.ticket_number }} waits',
          body: 'We wait for something we need for "{{ ticket.subject }}", and tell you when it goes on.',
        },
      ],
    }),
  );
}
