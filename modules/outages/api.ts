export { Outage, OutageService } from './entities.ts';
export { OutageResolved, OutageStarted } from './events.ts';
export { OutageUpdateMail } from './mail-templates.ts';
export { installServices } from './services.ts';
export { createOutage, updateOutage, type NewOutage, type OutageUpdate } from './outages.ts';
export { currentOutages, readPortalStatus } from './portal-status.ts';
export { cachedPublicStatus } from './public-page.ts';
