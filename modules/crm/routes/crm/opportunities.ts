import { created, crm, input, item, list, nothing, param, z } from '@keelson/core';
import { readOpportunity, readOpportunityDetail } from '../../details.ts';
import { opportunityStatuses } from '../../opportunities/entities.ts';
import {
  advanceStage,
  createOpportunity,
  deleteOpportunity,
  findOpportunity,
  lockOpportunity,
  updateOpportunity,
} from '../../opportunities/opportunities.ts';
import { listOpportunities } from '../../opportunities/opportunity-list.ts';
import { ReadOpportunities, WriteOpportunities } from '../../permissions.ts';
import { OpportunityDetail, OpportunityShape } from '../../shapes.ts';
import { assignee, customFields } from './fields.ts';

const links = {
  prospect_id: input.clearable(input.id()),
  contact_id: input.clearable(input.id()),
  expected_close_date: input.clearable(input.day()),
  assigned_to: assignee(),
  custom_fields: customFields(),
};

export default [
  crm.get('/opportunities', {
    title: 'List opportunities',
    access: ReadOpportunities,
    query: crm.paging({
      stage: param.text(100),
      status: param.choice(opportunityStatuses, { all: true }),
      assigned_to: param.id(),
      prospect_id: param.id(),
      min_value: param.money(),
      max_value: param.money(),
    }),
    returns: list(OpportunityShape),
    handle: (ctx, { query }) => listOpportunities(ctx, query),
  }),
  crm.post('/opportunities', {
    title: 'Open an opportunity',
    access: WriteOpportunities,
    body: z.object({
      ...links,
      name: input.text(255),
      stage: input.optional(input.text(100)),
      value: input.optional(input.money({ min: 0 })),
      probability: input.optional(input.int(0, 100)),
    }),
    returns: created(OpportunityShape),
    handle: async (ctx, { body }) => readOpportunity(ctx, await createOpportunity(ctx, body)),
  }),
  crm.get('/opportunities/{id}', {
    title: 'Read an opportunity with its history and links',
    access: ReadOpportunities,
    returns: item(OpportunityDetail),
    load: (ctx, { id }) => findOpportunity(ctx, id),
    handle: (ctx, { item: opportunity }) => readOpportunityDetail(ctx, opportunity),
  }),
  crm.put('/opportunities/{id}', {
    title: 'Update an opportunity',
    access: WriteOpportunities,
    body: input.changes({
      ...links,
      name: input.text(255),
      stage: input.text(100),
      status: input.choice(opportunityStatuses),
      value: input.money({ min: 0 }),
      probability: input.int(0, 100),
      lost_reason: input.clearable(input.text(255)),
    }),
    returns: item(OpportunityShape),
    load: (ctx, { id }) => lockOpportunity(ctx, id),
    handle: async (ctx, { item: opportunity, body }) =>
      readOpportunity(ctx, await updateOpportunity(ctx, opportunity, body)),
  }),
  crm.delete('/opportunities/{id}', {
    title: 'Delete an opportunity',
    access: WriteOpportunities,
    returns: nothing('opportunity_id'),
    load: (ctx, { id }) => lockOpportunity(ctx, id),
    handle: (ctx, { item: opportunity }) => deleteOpportunity(ctx, opportunity),
  }),
  crm.post('/opportunities/{id}/advance-stage', {
    title: 'Advance an opportunity to its next stage',
    access: WriteOpportunities,
    returns: item(OpportunityShape),
    load: (ctx, { id }) => lockOpportunity(ctx, id),
    handle: async (ctx, { item: opportunity }) => readOpportunity(ctx, await advanceStage(ctx, opportunity)),
  }),
];
