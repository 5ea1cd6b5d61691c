import { event, invalid, z, type App } from '@keelson/core';
import { registries, type Registry } from './entities.ts';

/**
 * Emitted when a webhook is disabled after failures (EV-07), which raises an alert (MO-01). Omits the URL, which may
 * contain a token.
 */
export const WebhookDisabled = event(
  'webhook.disabled',
  z.object({ webhook_id: z.int(), registry: z.enum(registries), failing_since: z.iso.datetime() }),
);

/** Emitted when a disabled webhook is restored or deleted, which resolves the alert. */
export const WebhookRestored = event('webhook.restored', z.object({ webhook_id: z.int() }));

/** The documented events, in the order of the documentation. */
const documented: Readonly<Record<Registry, readonly string[]>> = {
  admin: [
    'ticket.created',
    'ticket.updated',
    'ticket.closed',
    'ticket.assigned',
    'asset.created',
    'asset.updated',
    'asset.discovered',
    'outage.started',
    'outage.resolved',
    'collector.sync',
  ],
  crm: [
    'lead.created',
    'lead.updated',
    'lead.converted',
    'lead.deleted',
    'opportunity.created',
    'opportunity.stage_changed',
    'opportunity.won',
    'opportunity.lost',
    'contact.created',
    'contact.updated',
    'prospect.created',
    'prospect.converted',
    'activity.completed',
  ],
};

/** Returns the events of a registry: the documented ones and those of plugins. */
export function offeredEvents(app: App, registry: Registry): readonly string[] {
  const declared = app.plugins.flatMap((plugin) => plugin.events ?? []);
  const own = declared.filter(({ webhook }) => webhook === registry).map(({ name }) => name);
  return [...new Set([...documented[registry], ...own])];
}

/**
 * Returns the requested events, deduplicated and in the offered order.
 * @throws invalid() for an unknown event (EV-10, N-21)
 */
export function checkedEvents(app: App, registry: Registry, wanted: readonly string[]): string[] {
  const offered = offeredEvents(app, registry);
  const unknown = wanted.filter((each) => !offered.includes(each));
  if (unknown.length > 0) throw invalid(`events must be among: ${offered.join(', ')}`);
  return offered.filter((each) => wanted.includes(each));
}
