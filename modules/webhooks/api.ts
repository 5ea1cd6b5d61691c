export { Webhook } from './entities.ts';
export { offeredEvents, WebhookDisabled } from './events.ts';
export { createWebhook, deleteWebhook, updateWebhook, type NewWebhook } from './webhooks.ts';
