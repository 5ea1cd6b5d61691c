import { admin, created, findOr404, input, is, item, list, pageOf, showOne, z } from '@keelson/core';
import { ReadTickets, WriteTickets } from '@keelson/modules/tickets';
import { lockItem } from '../../find-one.ts';
import { itemChanges, newItem } from '../../inputs.ts';
import { lockProject, Projects } from '../../projects/projects.ts';
import { submitItem, updateItem } from '../../punch-list/punch-items.ts';
import { PunchItemView } from '../../punch-list/punch-list.ts';

export default [
  admin.get('/projects.php?action=punch-list&id={id}', {
    title: 'List a project’s punch list',
    access: ReadTickets,
    addition: true,
    query: admin.paging({ status: PunchItemView.query.status }),
    returns: list(PunchItemView),
    load: (ctx, { id }) => findOr404(ctx, Projects, id),
    handle: (ctx, { item: { project_id }, query }) =>
      pageOf(ctx, PunchItemView, query, { where: [is('project_id', project_id)] }),
  }),
  admin.post('/projects.php?action=punch-list&id={id}', {
    title: 'Add a punch-list item to a project',
    access: WriteTickets,
    addition: true,
    body: z.object({ ...newItem, description: input.longText() }),
    returns: created(PunchItemView),
    load: (ctx, { id }) => lockProject(ctx, id),
    handle: (ctx, { item: project, body }) => showOne(ctx, PunchItemView, submitItem(ctx, project, body)),
  }),
  admin.put('/projects.php?action=punch-list&id={id}&item_id={item_id}', {
    title: 'Update a punch-list item',
    access: WriteTickets,
    addition: true,
    body: input.changes(itemChanges),
    returns: item(PunchItemView),
    load: (ctx, path) => lockItem(ctx, path),
    handle: (ctx, { item: found, body }) => showOne(ctx, PunchItemView, updateItem(ctx, found, body)),
  }),
];
