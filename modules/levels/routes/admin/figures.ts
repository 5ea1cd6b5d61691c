import { admin, all, item, param, z } from '@keelson/core';
import { ReadTickets } from '@keelson/modules/tickets';
import { DueItem, NextItem, readDue, readNext } from '../../clocks/levels-of.ts';
import { ComplianceDetail, ComplianceRow, groups, readCompliance, readComplianceOf } from '../../compliance.ts';

export default [
  admin.get('/levels/compliance.php', {
    title: 'Read SLA compliance',
    addition: true,
    access: ReadTickets,
    query: z.object({
      group: param.choice(groups),
      from: param.day(),
      to: param.day(),
      policy_id: param.id(),
      company_number: param.id(),
      team_id: param.id(),
    }),
    returns: all(ComplianceRow),
    handle: (ctx, { query: { group = 'policy', ...query } }) => readCompliance(ctx, { group, ...query }),
  }),
  admin.get('/levels/compliance.php?id={key:text}', {
    title: 'Read the tickets of an SLA compliance figure',
    addition: true,
    access: ReadTickets,
    returns: item(ComplianceDetail),
    load: (ctx, { key }) => readComplianceOf(ctx, key),
    handle: (_ctx, { item: figure }) => figure,
  }),
  admin.get('/levels/due.php', {
    title: 'Read SLA due times of tickets',
    addition: true,
    access: ReadTickets,
    query: z.object({ ids: param.required(param.ids()) }),
    returns: all(DueItem),
    handle: (ctx, { query }) => readDue(ctx, query.ids),
  }),
  admin.get('/levels/next.php', {
    title: 'List tickets due next',
    addition: true,
    access: ReadTickets,
    query: z.object({ assigned_to: param.id() }),
    returns: all(NextItem),
    handle: (ctx, { query }) => readNext(ctx, query.assigned_to),
  }),
];
