import { created, crm, findOr404, input, item, list, lock, nothing, pageOf, remove, showOne, z } from '@keelson/core';
import { opportunityStatuses } from '../../opportunities/entities.ts';
import {
  advanceStage,
  createOpportunity,
  Opportunities,
  OpportunityView,
  updateOpportunity,
} from '../../opportunities/opportunities.ts';
import { OpportunityDetail, readOpportunityDetail } from '../../opportunities/opportunity-detail.ts';
import { ReadOpportunities, WriteOpportunities } from '../../permissions.ts';
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
    query: crm.paging(OpportunityView.query),
    returns: list(OpportunityView),
    handle: (ctx, { query }) => pageOf(ctx, OpportunityView, query),
  }),
  crm.post('/opportunities', {
    title: 'Open an opportunity',
    access: WriteOpportunities,
    body: z.object({
      ...links,
      name: input.text(255),
      stage: input.optional(input.text(100)).meta({ 'x-dropdown': 'pipeline_stages' }),
      value: input.optional(input.money({ min: 0 })),
      probability: input.optional(input.int(0, 100)),
    }),
    returns: created(OpportunityView),
    handle: (ctx, { body }) => showOne(ctx, OpportunityView, createOpportunity(ctx, body)),
  }),
  crm.get('/opportunities/{id}', {
    title: 'Read an opportunity with its history and links',
    access: ReadOpportunities,
    returns: item(OpportunityDetail),
    load: (ctx, { id }) => findOr404(ctx, Opportunities, id),
    handle: (ctx, { item: opportunity }) => readOpportunityDetail(ctx, opportunity),
  }),
  crm.put('/opportunities/{id}', {
    title: 'Update an opportunity',
    access: WriteOpportunities,
    body: input.changes({
      ...links,
      name: input.text(255),
      stage: input.text(100).meta({ 'x-dropdown': 'pipeline_stages' }),
      status: input.choice(opportunityStatuses),
      value: input.money({ min: 0 }),
      probability: input.int(0, 100),
      lost_reason: input.clearable(input.text(255)),
    }),
    returns: item(OpportunityView),
    load: (ctx, { id }) => lock(ctx, Opportunities, id),
    handle: (ctx, { item: opportunity, body }) =>
      showOne(ctx, OpportunityView, updateOpportunity(ctx, opportunity, body)),
  }),
  crm.delete('/opportunities/{id}', {
    title: 'Delete an opportunity',
    access: WriteOpportunities,
    returns: nothing('opportunity_id'),
    load: (ctx, { id }) => lock(ctx, Opportunities, id),
    handle: (ctx, { item: opportunity }) => remove(ctx, Opportunities, opportunity),
  }),
  crm.post('/opportunities/{id}/advance-stage', {
    title: 'Advance an opportunity to its next stage',
    access: WriteOpportunities,
    returns: item(OpportunityView),
    load: (ctx, { id }) => lock(ctx, Opportunities, id),
    handle: (ctx, { item: opportunity }) => showOne(ctx, OpportunityView, advanceStage(ctx, opportunity)),
  }),
];
