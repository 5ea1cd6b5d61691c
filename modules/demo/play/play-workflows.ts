// The demo's workflows: routine work that the provider automates.
import type { App } from '@keelson/core';
import { contextOf } from '@keelson/core/system';
import { createWorkflow } from '@keelson/modules/workflows';
import type { Staff } from '../people.ts';

/** Adds an active workflow, and a disabled one. */
export async function playWorkflows(app: App, { administrator, technician }: Staff): Promise<void> {
  const { user_id: id, name } = administrator;
  const ctx = contextOf({ app, actor: undefined, author: { type: 'technician', id, name } });
  await ctx.transaction((inside) =>
    createWorkflow(inside, {
      name: 'Assign critical tickets to first line',
      description: 'A server outage cannot wait until morning.',
      trigger: { type: 'event', event: 'ticket.created' },
      conditions: [{ field: 'priority', operator: 'eq', value: 1 }],
      actions: [
        { type: 'assign', assigned_to: technician.user_id },
        { type: 'add_comment', comment: 'Assigned automatically because it is critical.', is_internal: true },
      ],
    }),
  );
  await ctx.transaction((inside) =>
    createWorkflow(inside, {
      name: 'Notify the requester when a ticket is on hold',
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
          subject: 'Ticket {{ ticket.ticket_number }} is on hold',
          body: 'We are waiting for something we need for "{{ ticket.subject }}" and will let you know when work resumes.',
        },
      ],
    }),
  );
}
