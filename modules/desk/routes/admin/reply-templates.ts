import { admin, all, created, item, nothing, param, show, showOne, z } from '@keelson/core';
import { people } from '../../access.ts';
import {
  addTemplate,
  changeTemplate,
  deleteTemplate,
  fillTemplate,
  findTemplate,
  listTemplates,
  lockTemplate,
  newTemplate,
  ReplyTemplateItem,
  templateChanges,
} from '../../own/reply-templates.ts';

const own = { access: people, addition: true } as const;

export default [
  admin.get('/reply-templates.php', {
    title: 'List reply templates',
    ...own,
    returns: all(ReplyTemplateItem),
    handle: async (ctx) => show(ctx, ReplyTemplateItem, await listTemplates(ctx)),
  }),
  admin.post('/reply-templates.php', {
    title: 'Add a reply template',
    ...own,
    body: newTemplate,
    returns: created(ReplyTemplateItem),
    handle: (ctx, { body }) => showOne(ctx, ReplyTemplateItem, addTemplate(ctx, body)),
  }),
  admin.put('/reply-templates.php?id={id}', {
    title: 'Change a reply template',
    ...own,
    body: templateChanges,
    returns: item(ReplyTemplateItem),
    load: (ctx, { id }) => lockTemplate(ctx, id),
    handle: (ctx, { item: template, body }) => showOne(ctx, ReplyTemplateItem, changeTemplate(ctx, template, body)),
  }),
  admin.delete('/reply-templates.php?id={id}', {
    title: 'Delete a reply template',
    ...own,
    returns: nothing(),
    load: (ctx, { id }) => lockTemplate(ctx, id),
    handle: (ctx, { item: template }) => deleteTemplate(ctx, template),
  }),
  admin.get('/reply-templates.php?action=fill&id={id}', {
    title: 'Fill in a reply template',
    ...own,
    query: z.object({ ticket_id: param.id() }),
    returns: item(z.object({ text: z.string() })),
    load: (ctx, { id }) => findTemplate(ctx, id),
    handle: async (ctx, { item: template, query }) => ({ text: await fillTemplate(ctx, template, query.ticket_id) }),
  }),
];
