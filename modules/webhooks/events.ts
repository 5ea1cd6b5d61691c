import { event, invalid, z, type App } from '@keelson/core';
import { registries, type Registry } from './entities.ts';

/** A webhook was switched off after failures (EV-07): an alert (MO-01). Without the address, which may contain a token. */
export const WebhookDisabled = event(
  'webhook.disabled',
  z.object({ webhook_id: z.int(), registry: z.enum(registries), failing_since: z.iso.datetime() }),
);

/** A webhook that was off works again, or is gone: what was wrong with it is over. */
export const WebhookRestored = event('webhook.restored', z.object({ webhook_id: z.int() }));

/** The documented events, in the order of the documents. */
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

/** The events that a registry offers: the documented ones, and those that plugins declare for it. */
export function offeredEvents(app: App, registry: Registry): readonly string[] {
  const declared = app.plugins.flatMap((plugin) => plugin.events ?? []);
  const own = declared.filter(({ webhook }) => webhook === registry).map(({ name }) => name);
  return [...new Set([...documented[registry], ...own])];
}

/** The wanted names without duplicates, in the order offered. @throws invalid() for a name the registry does not offer (EV-10, N-21) */
export function checkedEvents(app: App, registry: Registry, wanted: readonly string[]): string[] {
  const offered = offeredEvents(app, registry);
  const unknown = wanted.filter((each) => !offered.includes(each));
  if (unknown.length > 0) throw invalid(`events must be among: ${offered.join(', ')}`);
  return offered.filter((each) => wanted.includes(each));
}
