// What the plugin adds to the console: plain data, checked at boot like routes are. A rule is the very permission that the
// routes use; who lacks it gets neither the page nor its place in the navigation.
import { consolePart } from '@keelson/core';
import { ReadAssets } from '@keelson/modules/assets';
import { ReadClaims } from '../permissions.ts';

export default consolePart(import.meta.dirname, {
  pages: [
    {
      path: '/warranty',
      title: 'Warranty claims',
      file: 'claims',
      access: ReadClaims,
      nav: { section: 'infrastructure', icon: 'shield', order: 60, key: 'g w' },
    },
  ],
  columns: [
    {
      list: 'GET /assets.php',
      title: 'Warranty',
      file: 'warranty-column',
      access: ReadAssets,
      values: 'GET /warranty/expiry.php',
    },
  ],
});
