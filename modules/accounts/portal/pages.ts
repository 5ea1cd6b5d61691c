import { itAdmin, portalPart, signedIn } from '@keelson/core';

export default portalPart(import.meta.dirname, {
  pages: [{ path: '/me', title: 'My account', file: 'me', access: signedIn }],
  panels: [{ slot: 'portal.person', title: 'Portal access', file: 'portal-access-panel', access: itAdmin }],
});
