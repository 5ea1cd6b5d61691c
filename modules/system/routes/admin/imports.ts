import { admin, anyCredential, findVisible, item, list, pageOf, showOne } from '@keelson/core';
import { ImportItem, KeptRecord, listKept, lockImport, undo } from '../../imports.ts';

export default [
  admin.get('/imports.php', {
    title: 'List imports',
    addition: true,
    access: anyCredential,
    query: admin.paging(ImportItem.query),
    returns: list(ImportItem),
    handle: (ctx, { query }) => pageOf(ctx, ImportItem, query),
  }),
  admin.get('/imports.php?id={id}', {
    title: 'Read an import and how far it is',
    addition: true,
    access: anyCredential,
    returns: item(ImportItem),
    load: (ctx, { id }) => findVisible(ctx, ImportItem, id),
    handle: (ctx, { item: run }) => showOne(ctx, ImportItem, run),
  }),
  admin.get('/imports.php?action=kept&id={id}', {
    title: 'List the records that undoing an import left',
    addition: true,
    access: anyCredential,
    query: admin.paging({}),
    returns: list(KeptRecord),
    load: (ctx, { id }) => findVisible(ctx, ImportItem, id),
    handle: (ctx, { item: run, query }) => listKept(ctx, run, query),
  }),
  admin.post('/imports.php?action=undo&id={id}', {
    title: 'Undo an import, or cancel it',
    addition: true,
    access: anyCredential,
    returns: item(ImportItem),
    load: (ctx, { id }) => lockImport(ctx, id),
    handle: (ctx, { item: run }) => undo(ctx, run),
  }),
];
