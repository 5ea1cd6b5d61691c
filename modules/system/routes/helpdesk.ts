import { all, anyone, flat, helpdesk, signedIn } from '@keelson/core';
import { asset } from '@keelson/core/plugin';
import { listModules, readBootstrap } from '../bootstrap.ts';
import { brandingCss } from '../branding.ts';
import { logoFile } from '../logo.ts';
import { Colors } from '../settings.ts';
import { Bootstrap, Module } from '../shapes.ts';

export default [
  helpdesk.get('/bootstrap', {
    title: 'Read what a client needs to start',
    access: anyone,
    returns: flat(Bootstrap),
    handle: (ctx) => readBootstrap(ctx),
  }),
  helpdesk.get('/branding.css', {
    title: 'Read the tenant’s colours as a style sheet',
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
    title: 'List the modules that are on',
    access: signedIn,
    returns: all(Module, 'modules'),
    handle: (ctx) => listModules(ctx),
  }),
];
