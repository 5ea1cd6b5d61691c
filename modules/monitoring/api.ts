export { acknowledgeAlert, Alerts, raiseAlert, resolveAlert, type Raised } from './alerts.ts';
export { AlertItem } from './alert-list.ts';
export { Alert } from './entities.ts';
export { AlertAcknowledged, AlertCreated, AlertResolved } from './events.ts';
