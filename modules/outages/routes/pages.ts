import { anyone, page, pages } from '@keelson/core';
import { cachedPublicStatus } from '../status/public-page.ts';
import { statusPage } from '../status/status-page.ts';

export default [
  pages.get('/status', {
    title: 'Show the public status page',
    access: anyone,
    anonymous: true,
    returns: page(),
    handle: async ({ app }) => ({ html: statusPage(await cachedPublicStatus(app)) }),
  }),
];
