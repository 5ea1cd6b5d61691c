// The plugin's console pages: plain data, validated at boot like routes. Each uses the permission of its routes;
// without it, neither the page nor its navigation entry is shown.
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
