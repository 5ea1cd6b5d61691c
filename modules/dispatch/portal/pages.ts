import { portalPart, signedIn } from '@keelson/core';

export default portalPart(import.meta.dirname, {
  panels: [{ slot: 'portal.ticket', title: 'Appointments', file: 'appointments-panel', access: signedIn, order: 5 }],
});
