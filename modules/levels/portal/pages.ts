import { portalPart, signedIn } from '@keelson/core';

export default portalPart(import.meta.dirname, {
  panels: [{ slot: 'portal.ticket', title: 'Service level', file: 'level-panel', access: signedIn, order: 10 }],
});
