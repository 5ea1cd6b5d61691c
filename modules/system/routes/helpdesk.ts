import { all, anyone, findVisible, flat, helpdesk, item, list, pageOf, showOne, signedIn } from '@keelson/core';
import { asset } from '@keelson/core/plugin';
import { listModules, readBootstrap } from '../bootstrap.ts';
import { brandingCss } from '../branding/branding.ts';
import { logoFile } from '../branding/logo.ts';
import { KeptRecord, listKept, lockOwnImport, PortalImport, undoOwn } from '../imports.ts';
import { Colors } from '../settings.ts';
import { Bootstrap, Module } from '../shapes.ts';

export default [
  helpdesk.get('/bootstrap', {
    title: 'Read the client configuration',
    access: anyone,
    returns: flat(Bootstrap),
    handle: (ctx) => readBootstrap(ctx),
  }),
  helpdesk.get('/branding.css', {
    title: 'Read the tenant’s colours as a stylesheet',
    access: anyone,
    returns: asset('text/css; charset=utf-8'),
    handle: async (ctx) => ({
      type: 'text/css; charset=utf-8',
      body: brandingCss(await ctx.app.settings.get(ctx, Colors)),
    }),
  }),
  helpdesk.get('/branding/logo', {
    title: 'Read the tenant’s logo',
    addition: true,
    access: anyone,
    // Used by mails and by the chat on other websites.
    crossOrigin: true,
    returns: asset('image/png', 'image/jpeg'),
    handle: (ctx) => logoFile(ctx),
  }),
  helpdesk.get('/modules', {
    title: 'List enabled modules',
    access: signedIn,
    returns: all(Module, 'modules'),
    handle: (ctx) => listModules(ctx),
  }),
  helpdesk.get('/imports', {
    title: 'List the company’s imports',
    addition: true,
    access: signedIn,
    query: helpdesk.paging(PortalImport.query),
    returns: list(PortalImport, 'imports'),
    handle: (ctx, { query }) => pageOf(ctx, PortalImport, query),
  }),
  helpdesk.get('/imports/{id}', {
    title: 'Read one of the company’s imports',
    addition: true,
    access: signedIn,
    returns: item(PortalImport),
    load: (ctx, { id }) => findVisible(ctx, PortalImport, id),
    handle: (ctx, { item: run }) => showOne(ctx, PortalImport, run),
  }),
  helpdesk.get('/imports/{id}/kept', {
    title: 'List the records that undoing one’s import left',
    addition: true,
    access: signedIn,
    query: helpdesk.paging({}),
    returns: list(KeptRecord, 'records'),
    load: (ctx, { id }) => findVisible(ctx, PortalImport, id),
    handle: (ctx, { item: run, query }) => listKept(ctx, run, query),
  }),
  helpdesk.post('/imports/{id}/undo', {
    title: 'Undo one of the company’s imports, or cancel it',
    addition: true,
    access: signedIn,
    returns: item(PortalImport),
    load: (ctx, { id }) => lockOwnImport(ctx, id),
    handle: (ctx, { item: run }) => undoOwn(ctx, run),
  }),
];
