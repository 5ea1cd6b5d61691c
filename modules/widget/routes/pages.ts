import { anyone, pages } from '@keelson/core';
import { asset } from '@keelson/core/plugin';
import { chatScript } from '../script.ts';

const type = 'text/javascript; charset=utf-8';

export default [
  pages.get('/widget/chat.js', {
    title: 'Read the chat widget script',
    access: anyone,
    anonymous: true,
    crossOrigin: true,
    returns: asset(type),
    handle: ({ app }) => ({ type, body: chatScript(app) }),
  }),
];
