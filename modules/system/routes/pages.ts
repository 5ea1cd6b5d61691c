import { anyone, pages } from '@keelson/core';
import { asset } from '@keelson/core/plugin';
import { FAVICON_TYPES, readFavicon } from '../branding/favicon.ts';

export default [
  pages.get('/favicon.ico', {
    title: 'Read the favicon',
    access: anyone,
    returns: asset(...FAVICON_TYPES),
    handle: (ctx) => readFavicon(ctx),
  }),
];
