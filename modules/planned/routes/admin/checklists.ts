import { admin, all, findOr404, input, nothing, param, z } from '@keelson/core';
import { ChecklistItem, findTicket, lockTicket, ReadTickets, WriteTickets } from '@keelson/modules/tickets';
import { addItems, changeItem, findItem, readChecklist, removeItem } from '../../checklists/checklist.ts';
import { itemChanges, newItemFields } from '../../checklists/fields.ts';
import { readTasks, Task } from '../../checklists/tasks.ts';
import { Templates } from '../../templates/templates.ts';

const item = '/tickets/checklist.php?id={id}&item_id={item_id}';

export default [
  admin.get('/tickets/tasks.php', {
    title: 'List the open tasks of a technician',
    addition: true,
    access: ReadTickets,
    query: z.object({ assigned_to: param.idOr('me') }),
    returns: all(Task),
    handle: (ctx, { query: { assigned_to } }) => readTasks(ctx, assigned_to),
  }),
  admin.get('/tickets/checklist.php?id={id}', {
    title: 'Read the checklist of a ticket',
    operationId: 'getTicketChecklist',
    addition: true,
    access: ReadTickets,
    returns: all(ChecklistItem),
    load: (ctx, { id }) => findTicket(ctx, id),
    handle: (ctx, { item: { ticket_id } }) => readChecklist(ctx, ticket_id),
  }),
  admin.post('/tickets/checklist.php?id={id}', {
    title: 'Add an item to the checklist of a ticket',
    operationId: 'createTicketChecklistItem',
    addition: true,
    access: WriteTickets,
    body: z.object(newItemFields),
    returns: all(ChecklistItem),
    load: (ctx, { id }) => lockTicket(ctx, id),
    handle: async (ctx, { item: ticket, body }) => {
      await addItems(ctx, ticket, [body]);
      return readChecklist(ctx, ticket.ticket_id);
    },
  }),
  admin.post('/tickets/checklist.php?action=template&id={id}', {
    title: 'Add the checklist of a template to a ticket',
    operationId: 'addTicketChecklistTemplate',
    addition: true,
    access: WriteTickets,
    body: z.object({ template_id: input.id() }),
    returns: all(ChecklistItem),
    load: (ctx, { id }) => lockTicket(ctx, id),
    handle: async (ctx, { item: ticket, body }) => {
      await addItems(ctx, ticket, (await findOr404(ctx, Templates, body.template_id)).checklist);
      return readChecklist(ctx, ticket.ticket_id);
    },
  }),
  admin.put(item, {
    title: 'Change or complete a checklist item',
    operationId: 'updateTicketChecklistItem',
    addition: true,
    access: WriteTickets,
    body: itemChanges,
    returns: all(ChecklistItem),
    load: async (ctx, { id, item_id }) => {
      const ticket = await lockTicket(ctx, id);
      return { ticket, found: await findItem(ctx, ticket, item_id) };
    },
    handle: async (ctx, { item: { ticket, found }, body }) => {
      await changeItem(ctx, ticket, found, body);
      return readChecklist(ctx, ticket.ticket_id);
    },
  }),
  admin.delete(item, {
    title: 'Remove a checklist item',
    operationId: 'deleteTicketChecklistItem',
    addition: true,
    access: WriteTickets,
    returns: nothing(),
    load: async (ctx, { id, item_id }) => {
      const ticket = await lockTicket(ctx, id);
      return { ticket, found: await findItem(ctx, ticket, item_id) };
    },
    handle: (ctx, { item: { ticket, found } }) => removeItem(ctx, ticket, found),
  }),
];
