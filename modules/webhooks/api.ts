export { Webhook } from './entities.ts';
export { WebhookDisabled } from './events.ts';
export { createWebhook, deleteWebhook, updateWebhook, type NewWebhook } from './webhooks.ts';
