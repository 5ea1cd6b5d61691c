import { anyone, page, pages } from '@keelson/core';
import { cachedPublicStatus } from '../public-page.ts';
import { statusPage } from '../status-page.ts';

export default [
  pages.get('/status', {
    title: 'Show the public status page',
    access: anyone,
    anonymous: true,
    returns: page(),
    handle: async ({ app }) => ({ html: statusPage(await cachedPublicStatus(app)) }),
  }),
];
