// What the editor offers: events, and the fields of their records, named in the caller's language.
import { invalid, z, type Context } from '@keelson/core';
import { dictionary } from '@keelson/core/kit';
import { callerWording, type Wording } from '@keelson/core/plugin';
import { inputFields } from '@keelson/core/system';
import { priorityLabels } from '@keelson/modules/tickets';
import { fieldLabel, inputLabel, labelOf } from '@keelson/words/labels';
import { declaredEvent, entityOf, subjectOf, triggerEvents } from '../runs/facts.ts';
import { addedFields } from './plugin-fields.ts';

/** Events that start workflows. */
export const OfferedEvents = z.object({ events: z.array(z.object({ name: z.string(), title: z.string() })) });

/** The fields of a record that conditions can compare. */
export const OfferedFields = z.object({
  fields: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      type: z.string(),
      format: z.string().optional(),
      /** The values of a choice. */
      choices: z.array(z.object({ value: z.union([z.string(), z.number()]), title: z.string() })),
    }),
  ),
});

export async function offerEvents(ctx: Context) {
  const { t } = await callerWording(ctx);
  return { events: triggerEvents(ctx.app).map((name) => ({ name, title: t(labelOf(name)) })) };
}

/**
 * Returns the fields of an event's record, or without one those of a manual workflow's. A removed plugin's event has
 * none.
 * @throws invalid() for an event that workflows cannot have
 */
export async function offerFields(ctx: Context, event: string | undefined) {
  const events = triggerEvents(ctx.app);
  if (event !== undefined && !events.includes(event)) throw invalid(`event must be one of: ${events.join(', ')}`);
  const subject = event ?? subjectOf({ trigger_type: 'manual', event: null }) ?? '';
  const shape = declaredEvent(ctx.app, subject)?.shape;
  const fields =
    shape instanceof z.ZodObject
      ? Object.entries(inputFields(shape.extend(dictionary(addedFields(ctx.app, shape)))).fields)
      : [];
  const { t } = await callerWording(ctx);
  return {
    fields: fields.flatMap(([name, field]) => {
      if (!field) return [];
      const { type, format } = field;
      const choices = choicesOf(name, field.enum ?? [], t);
      return { name, title: t(titleOf(name, entityOf(subject))), type, ...(format && { format }), choices };
    }),
  };
}

/** Returns `Company` for `company_number`, but `Ticket number` for a ticket's own. */
const titleOf = (name: string, entity: string): string =>
  name === `${entity}_number` ? fieldLabel(name) : inputLabel(name);

function choicesOf(name: string, values: readonly (string | number)[], t: Wording['t']) {
  if (name === 'priority' && values.length === 0)
    return Object.entries(priorityLabels).map(([number, label]) => ({ value: Number(number), title: t(label) }));
  return values.map((value) => ({ value, title: t(labelOf(String(value))) }));
}
