// Input of a run: the record and the template variables.
import { invalid, notFound, today, unlessFound, type App, type Context, type Occurrence } from '@keelson/core';
import { dictionary, dictionaryOf, type Dictionary } from '@keelson/core/kit';
import type { Event } from '@keelson/core/plugin';
import { offeredEvents } from '@keelson/modules/webhooks';
import type { RecordReference } from '../definitions/fields.ts';
import type { TriggerType, Workflow } from '../entities.ts';

export type Values = Dictionary<unknown>;

export interface Facts {
  readonly workflow: Workflow;
  readonly trigger: TriggerType;
  /** Event whose shape the record has; null without a record. */
  readonly event: string | null;
  /** The record at the time of the event; for a manual run, its current state. */
  readonly record: Values | null;
  readonly entity_type: string;
  readonly entity_id: number | null;
  readonly changed: readonly string[];
}

/** Returns the event with this name if an installed plugin declares it. */
export function declaredEvent(app: App, name: string): Event | undefined {
  return app.plugins.flatMap((plugin) => plugin.events ?? []).find((each) => each.name === name);
}

/** Returns the documented events and those of plugins (WF-01). */
export const triggerEvents = (app: App): readonly string[] => offeredEvents(app, 'admin');

/** Returns the event that defines the record type: tickets for manual triggers, none for schedules. */
export function subjectOf({ trigger_type, event }: Pick<Workflow, 'trigger_type' | 'event'>): string | null {
  if (trigger_type === 'schedule') return null;
  return trigger_type === 'manual' ? 'ticket.updated' : event;
}

/** Returns `ticket` for `ticket.created`. */
export const entityOf = (event: string): string => event.split('.')[0] ?? '';

export function eventFacts(app: App, workflow: Workflow, { name, data, changed }: Occurrence<unknown>): Facts {
  return { workflow, trigger: 'event', changed, ...recordFacts(app, name, data) };
}

export function factsWithout(workflow: Workflow, trigger: TriggerType): Facts {
  const nothing = { event: null, record: null, entity_type: '', entity_id: null, changed: [] };
  return { workflow, trigger, ...nothing };
}

/**
 * Returns the input of a manual run, with the record named by the caller, if any (WF-04).
 * @throws invalid() for a missing record, or one of another type
 */
export async function manualFacts(
  ctx: Context,
  workflow: Workflow,
  {
    entity_type,
    entity_id,
    ticket_id,
    changed = [],
  }: RecordReference & { readonly changed?: readonly string[] | undefined },
): Promise<Facts> {
  const event = subjectOf(workflow);
  const id = entity_id ?? ticket_id;
  const named = entity_type ?? (entity_id === undefined && ticket_id !== undefined ? 'ticket' : undefined);
  if (event === null) {
    if (id !== undefined || named !== undefined) throw invalid('entity_id must be omitted: the workflow has no record');
    return factsWithout(workflow, 'manual');
  }
  const known = declaredEvent(ctx.app, event)?.record;
  const type = known?.type ?? entityOf(event);
  if (named !== undefined && named !== type) throw invalid(`entity_type must be ${type} for this workflow`);
  if (id === undefined) return factsWithout(workflow, 'manual');
  if (!known) throw invalid(`entity_type ${type} is not supported here`);
  const record = await known.read(ctx, id).catch(unlessFound);
  if (record === undefined) throw invalid(`entity_id must be an existing ${type}`);
  return { workflow, trigger: 'manual', changed, ...recordFacts(ctx.app, event, record) };
}

/** Returns the template variables of action texts. */
export function variablesOf(ctx: Context, { workflow, record, entity_type }: Facts): Values {
  const { workflow_id, name } = workflow;
  const general: [string, unknown][] = [
    ['workflow', { workflow_id, name }],
    ['today', today(ctx)],
  ];
  return dictionary(record ? [...general, [entity_type, record]] : general);
}

/** Returns the ticket id of the record. @throws notFound() for a ticket action if the record has no ticket */
export function ticketOf({ record }: Facts): number {
  const id = record?.['ticket_id'];
  if (typeof id !== 'number') throw notFound('Ticket');
  return id;
}

/** Returns a numeric field of the record; null if it has none with this name. */
export function numberOf({ record }: Facts, field: string): number | null {
  const value = record?.[field];
  return typeof value === 'number' ? value : null;
}

function recordFacts(app: App, event: string, data: unknown) {
  const record = dictionaryOf(data);
  const entity_type = entityOf(event);
  const id = record[declaredEvent(app, event)?.record?.id ?? `${entity_type}_id`];
  return { event, record, entity_type, entity_id: typeof id === 'number' ? id : null };
}
