import { admin, anyCredential, flat, helpdesk, item, signedIn } from '@keelson/core';
import { Console, Portal } from '../shapes.ts';
import { readConsole, readPortal } from '../shells.ts';

export default [
  admin.get('/console.php', {
    title: 'Read the console configuration for the caller',
    access: anyCredential,
    addition: true,
    returns: item(Console),
    handle: (ctx) => readConsole(ctx),
  }),
  helpdesk.get('/portal', {
    title: 'Read the portal configuration for the caller',
    access: signedIn,
    addition: true,
    returns: flat(Portal),
    handle: (ctx) => readPortal(ctx),
  }),
];
