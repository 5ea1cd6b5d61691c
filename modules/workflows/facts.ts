// What a run knows: the record it is about, and what its texts may name.
import {
  dictionary,
  dictionaryOf,
  invalid,
  notFound,
  Problem,
  today,
  type App,
  type Context,
  type Dictionary,
  type Event,
  type Occurrence,
} from '@keelson/core';
import { offeredEvents } from '@keelson/modules/webhooks';
import type { TriggerType, Workflow } from './entities.ts';
import type { Wanted } from './fields.ts';

export type Values = Dictionary<unknown>;

export interface Facts {
  readonly workflow: Workflow;
  readonly trigger: TriggerType;
  /** The event whose declaration the record has the form of; null without a record. */
  readonly event: string | null;
  /** As it was when the event happened; as it is, where there was none. */
  readonly record: Values | null;
  readonly entity_type: string;
  readonly entity_id: number | null;
  readonly changed: readonly string[];
}

/** The event of this name, where a plugin that is there declares it. */
export function declaredEvent(app: App, name: string): Event | undefined {
  return app.plugins.flatMap((plugin) => plugin.events ?? []).find((each) => each.name === name);
}

/** The documented ten, and what plugins add to them (WF-01). */
export const triggerEvents = (app: App): readonly string[] => offeredEvents(app, 'admin');

/** The event that shows the records a workflow is about: one by hand is about tickets, one by the clock about none. */
export function subjectOf({ trigger_type, event }: Pick<Workflow, 'trigger_type' | 'event'>): string | null {
  if (trigger_type === 'schedule') return null;
  return trigger_type === 'manual' ? 'ticket.updated' : event;
}

/** `ticket`, for any event of tickets. */
export const entityOf = (event: string): string => event.split('.')[0] ?? '';

export function factsOfEvent(workflow: Workflow, { name, data, changed }: Occurrence<unknown>): Facts {
  return { workflow, trigger: 'event', changed, ...recordFacts(name, data) };
}

export function factsWithout(workflow: Workflow, trigger: TriggerType): Facts {
  const nothing = { event: null, record: null, entity_type: '', entity_id: null, changed: [] };
  return { workflow, trigger, ...nothing };
}

/**
 * What a run by hand knows: the record it is told, if any (WF-04).
 * @throws invalid() for a record that there is not, or that the workflow is not about
 */
export async function factsByHand(
  ctx: Context,
  workflow: Workflow,
  { entity_type, entity_id, ticket_id, changed = [] }: Wanted & { readonly changed?: readonly string[] | undefined },
): Promise<Facts> {
  const event = subjectOf(workflow);
  const id = entity_id ?? ticket_id;
  const named = entity_type ?? (entity_id === undefined && ticket_id !== undefined ? 'ticket' : undefined);
  if (event === null) {
    if (id !== undefined || named !== undefined)
      throw invalid('entity_id has no meaning: the workflow is about no record');
    return factsWithout(workflow, 'manual');
  }
  const known = declaredEvent(ctx.app, event)?.record;
  const type = known?.type ?? entityOf(event);
  if (named !== undefined && named !== type) throw invalid(`entity_type must be ${type}, as the workflow is about`);
  if (id === undefined) return factsWithout(workflow, 'manual');
  if (!known) throw invalid(`entity_type must be one that can be read; ${type} cannot yet`);
  const record = await known.read(ctx, id).catch((error: unknown) => {
    if (error instanceof Problem && error.kind === 'not-found') return undefined;
    throw error;
  });
  if (record === undefined) throw invalid(`entity_id must be an existing ${type}`);
  return { workflow, trigger: 'manual', changed, ...recordFacts(event, record) };
}

/** What the texts of actions may name. */
export function namesIn(ctx: Context, { workflow, record, entity_type }: Facts): Values {
  const { workflow_id, name } = workflow;
  const ours: [string, unknown][] = [
    ['workflow', { workflow_id, name }],
    ['today', today(ctx)],
  ];
  return dictionary(record ? [...ours, [entity_type, record]] : ours);
}

/** @throws notFound() for an action on a ticket, when the record has none */
export function ticketOf({ record }: Facts): number {
  const id = record?.['ticket_id'];
  if (typeof id !== 'number') throw notFound('Ticket');
  return id;
}

/** A number of the record; null when it has none of this name. */
export function numberIn({ record }: Facts, field: string): number | null {
  const value = record?.[field];
  return typeof value === 'number' ? value : null;
}

function recordFacts(event: string, data: unknown) {
  const record = dictionaryOf(data);
  const entity_type = entityOf(event);
  const id = record[`${entity_type}_id`];
  return { event, record, entity_type, entity_id: typeof id === 'number' ? id : null };
}
