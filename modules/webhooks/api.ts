export { Webhook } from './entities.ts';
export { offeredEvents, WebhookDisabled, WebhookRestored } from './events.ts';
export { createWebhook, updateWebhook, type NewWebhook } from './webhooks.ts';
