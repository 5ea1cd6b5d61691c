import { portalPart, signedIn } from '@keelson/core';

export default portalPart(import.meta.dirname, {
  pages: [{ path: '/', title: 'Home', file: 'home', access: signedIn, nav: { icon: 'home', order: 0 } }],
});
