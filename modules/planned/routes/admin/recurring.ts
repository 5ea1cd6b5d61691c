import { admin, findOr404, item, list, nounRoutes, pageOf } from '@keelson/core';
import { ReadTickets } from '@keelson/modules/tickets';
import { WritePlanned } from '../../permissions.ts';
import { previewQuery, recurringFields } from '../../recurring/fields.ts';
import {
  changeRecurring,
  createRecurring,
  OccurrenceItem,
  Preview,
  previewDates,
  RecurringItem,
  RecurringTickets,
} from '../../recurring/recurring.ts';

export default [
  ...nounRoutes(admin, '/recurring-tickets.php?id={id}', RecurringTickets, {
    addition: true,
    titles: {
      list: 'List recurring tickets',
      create: 'Create a recurring ticket',
      read: 'Read a recurring ticket',
      update: 'Change a recurring ticket',
      delete: 'Delete a recurring ticket',
    },
    read: ReadTickets,
    write: WritePlanned,
    view: RecurringItem,
    fields: recurringFields,
    create: createRecurring,
    change: changeRecurring,
  }),
  admin.get('/recurring-tickets.php?action=preview', {
    title: 'Preview the dates of a recurrence rule',
    addition: true,
    access: ReadTickets,
    query: previewQuery,
    returns: item(Preview),
    handle: (ctx, { query }) => previewDates(ctx, query),
  }),
  admin.get('/recurring-tickets.php?action=occurrences&id={id}', {
    title: 'List the tickets of a recurring ticket',
    addition: true,
    access: ReadTickets,
    query: admin.paging({}),
    returns: list(OccurrenceItem),
    load: (ctx, { id }) => findOr404(ctx, RecurringTickets, id),
    handle: (ctx, { item: { recurring_id }, query }) => pageOf(ctx, OccurrenceItem, { ...query, recurring_id }),
  }),
];
