import { admin, administrators, item, list, nounRoutes, pageOf, showOne } from '@keelson/core';
import { WriteTickets } from '@keelson/modules/tickets';
import { acknowledge, EscalationItem, lockEscalation } from '../../escalation/escalations.ts';
import { newStepFields, stepFields } from '../../escalation/fields.ts';
import { createStep, StepItem, Steps } from '../../escalation/steps.ts';
import { ReadTeams, WriteTeams } from '../../permissions.ts';

export default [
  ...nounRoutes(admin, '/teams/steps.php?id={id}', Steps, {
    addition: true,
    titles: {
      list: 'List steps of escalation chains',
      create: 'Add a step to an escalation chain',
      read: 'Read a step of an escalation chain',
      update: 'Change a step of an escalation chain',
      delete: 'Delete a step of an escalation chain',
    },
    read: ReadTeams,
    write: administrators(WriteTeams),
    view: StepItem,
    fields: stepFields,
    newFields: newStepFields,
    create: createStep,
  }),
  admin.get('/teams/escalations.php', {
    title: 'List escalations',
    addition: true,
    access: ReadTeams,
    query: admin.paging(EscalationItem.query),
    returns: list(EscalationItem),
    handle: (ctx, { query }) => pageOf(ctx, EscalationItem, query),
  }),
  admin.post('/teams/escalations.php?action=acknowledge&id={id}', {
    title: 'Acknowledge an escalation',
    addition: true,
    access: WriteTickets,
    returns: item(EscalationItem),
    load: (ctx, { id }) => lockEscalation(ctx, id),
    handle: (ctx, { item: escalation }) =>
      showOne(
        ctx,
        EscalationItem,
        acknowledge(ctx, escalation, ctx.author.type === 'technician' ? ctx.author.id : null),
      ),
  }),
];
