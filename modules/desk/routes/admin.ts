// Routes of a technician's own desk (additions): everything here belongs to the caller or is shared by colleagues.
import { admin, all, created, input, item, nothing, param, show, showOne, z } from '@keelson/core';
import { doings } from '@keelson/core/plugin';
import { people } from '../access.ts';
import { PreferenceValues } from '../entities.ts';
import { changePreferences, preferenceChanges, readPreferences } from '../own/preferences.ts';
import { bePresent, readPresence } from '../own/presence.ts';
import { changeView, deleteView, listViews, lockView, newView, saveView, viewChanges, ViewItem } from '../own/views.ts';
import { PresentPerson } from '../shapes.ts';

const own = { access: people, addition: true } as const;

export default [
  admin.get('/presence.php', {
    title: 'List who is viewing which records',
    ...own,
    query: z.object({ type: param.text(64), key: param.id() }),
    returns: all(PresentPerson),
    handle: (ctx, { query }) => readPresence(ctx, query),
  }),
  admin.post('/presence.php', {
    title: 'Report that you are viewing a record',
    operationId: 'reportPresence',
    ...own,
    // Changes no data, and is called every few seconds.
    unlogged: true,
    body: z.object({ type: input.text(64), key: input.id(), doing: input.choice(doings) }),
    returns: item(z.object({ people: z.array(PresentPerson) })),
    handle: async (ctx, { body }) => ({ people: await bePresent(ctx, body) }),
  }),
  admin.get('/views.php', {
    title: 'List saved views',
    ...own,
    query: z.object({ list: param.text(64) }),
    returns: all(ViewItem),
    handle: async (ctx, { query }) => show(ctx, ViewItem, await listViews(ctx, query.list)),
  }),
  admin.post('/views.php', {
    title: 'Save a view',
    ...own,
    body: newView,
    returns: created(ViewItem),
    handle: (ctx, { body }) => showOne(ctx, ViewItem, saveView(ctx, body)),
  }),
  admin.put('/views.php?id={id}', {
    title: 'Change a saved view',
    ...own,
    body: viewChanges,
    returns: item(ViewItem),
    load: (ctx, { id }) => lockView(ctx, id),
    handle: (ctx, { item: saved, body }) => showOne(ctx, ViewItem, changeView(ctx, saved, body)),
  }),
  admin.delete('/views.php?id={id}', {
    title: 'Delete a saved view',
    ...own,
    returns: nothing(),
    load: (ctx, { id }) => lockView(ctx, id),
    handle: (ctx, { item: saved }) => deleteView(ctx, saved),
  }),
  admin.get('/preferences.php', {
    title: 'Read your preferences',
    ...own,
    returns: item(PreferenceValues),
    handle: (ctx) => readPreferences(ctx),
  }),
  admin.put('/preferences.php', {
    title: 'Update your preferences',
    ...own,
    unlogged: true,
    body: preferenceChanges,
    returns: item(PreferenceValues),
    handle: (ctx, { body }) => changePreferences(ctx, body),
  }),
];
