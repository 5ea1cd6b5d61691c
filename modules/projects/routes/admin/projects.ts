import { admin, change, created, findOr404, input, item, list, nothing, pageOf, remove, z } from '@keelson/core';
import { ReadTickets, WriteTickets } from '@keelson/modules/tickets';
import { projectFields } from '../../inputs.ts';
import { ProjectDetail, readProject } from '../../project-detail.ts';
import { ProjectItem } from '../../project-list.ts';
import { createProject, lockProject, Projects } from '../../projects.ts';

export default [
  admin.get('/projects.php', {
    title: 'List projects',
    access: ReadTickets,
    addition: true,
    query: admin.paging(ProjectItem.query),
    returns: list(ProjectItem),
    handle: (ctx, { query }) => pageOf(ctx, ProjectItem, query),
  }),
  admin.post('/projects.php', {
    title: 'Create a project',
    access: WriteTickets,
    addition: true,
    body: z.object({ company_number: input.id(), ...projectFields }),
    returns: created(ProjectDetail),
    handle: async (ctx, { body }) => readProject(ctx, await createProject(ctx, body)),
  }),
  admin.get('/projects.php?id={id}', {
    title: 'Read a project',
    access: ReadTickets,
    addition: true,
    returns: item(ProjectDetail),
    load: (ctx, { id }) => findOr404(ctx, Projects, id),
    handle: (ctx, { item: project }) => readProject(ctx, project),
  }),
  admin.put('/projects.php?id={id}', {
    title: 'Update a project',
    access: WriteTickets,
    addition: true,
    body: input.changes({ company_number: input.id(), ...projectFields }),
    returns: item(ProjectDetail),
    load: (ctx, { id }) => lockProject(ctx, id),
    handle: async (ctx, { item: project, body }) => readProject(ctx, await change(ctx, Projects, project, body)),
  }),
  admin.delete('/projects.php?id={id}', {
    title: 'Delete a project',
    access: WriteTickets,
    addition: true,
    returns: nothing(),
    load: (ctx, { id }) => lockProject(ctx, id),
    handle: (ctx, { item: project }) => remove(ctx, Projects, project),
  }),
];
