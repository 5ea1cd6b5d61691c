import { admin, all, nounRoutes, param, z } from '@keelson/core';
import { ReadTeams, WriteTeams } from '../../permissions.ts';
import { newOverrideFields, overrideFields } from '../../rota/fields.ts';
import { OnCallTeam, readOnCallTeams } from '../../rota/on-call.ts';
import { OverrideItem, Overrides } from '../../rota/overrides.ts';

export default [
  admin.get('/teams/on-call.php', {
    title: 'Read who is on call',
    addition: true,
    access: ReadTeams,
    query: z.object({ team_id: param.id(), weeks: param.int(1, 26) }),
    returns: all(OnCallTeam),
    handle: (ctx, { query }) => readOnCallTeams(ctx, query),
  }),
  ...nounRoutes(admin, '/teams/overrides.php?id={id}', Overrides, {
    addition: true,
    titles: {
      list: 'List overrides of on-call rotas',
      create: 'Add an override to an on-call rota',
      read: 'Read an override',
      update: 'Change an override',
      delete: 'Delete an override',
    },
    read: ReadTeams,
    write: WriteTeams,
    view: OverrideItem,
    fields: overrideFields,
    newFields: newOverrideFields,
  }),
];
