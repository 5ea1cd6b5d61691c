import { admin, anyCredential, flat, helpdesk, item, signedIn } from '@keelson/core';
import { readConsole, readPortal } from '../shells.ts';
import { Console, Portal } from '../shapes.ts';

export default [
  admin.get('/console.php', {
    title: 'Read what the console shows the caller',
    access: anyCredential,
    addition: true,
    returns: item(Console),
    handle: (ctx) => readConsole(ctx),
  }),
  helpdesk.get('/portal', {
    title: 'Read what the portal shows the caller',
    access: signedIn,
    addition: true,
    returns: flat(Portal),
    handle: (ctx) => readPortal(ctx),
  }),
];
