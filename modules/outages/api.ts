export { Outage, OutageService } from './entities.ts';
export { OutageResolved, OutageStarted } from './events.ts';
export { OutageUpdateMail } from './mail-templates.ts';
export { installServices } from './status/services.ts';
export { createOutage, updateOutage, type NewOutage, type OutageUpdate } from './outages/outages.ts';
export { currentOutages, readPortalStatus } from './status/portal-status.ts';
export { cachedPublicStatus } from './status/public-page.ts';
