import { anyone, pages } from '@keelson/core';
import { asset } from '@keelson/core/plugin';
import { workerScript } from '../push/worker-script.ts';

const type = 'text/javascript; charset=utf-8';

export default [
  pages.get('/desk/notify.js', {
    title: 'Read the script that shows notifications',
    access: anyone,
    anonymous: true,
    returns: asset(type),
    handle: ({ app }) => ({ type, body: workerScript(app) }),
  }),
];
