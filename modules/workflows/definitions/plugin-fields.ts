// Fields that plugins add to the records of workflows.
import { z, type App, type Context } from '@keelson/core';
import { dictionary } from '@keelson/core/kit';
import type { WorkflowFields } from '@keelson/core/plugin';
import { declaredEvent, type Facts } from '../runs/facts.ts';

/** Returns the fields that plugins add to a record that does not have them itself. */
export function addedFields(app: App, record: z.ZodObject): [name: string, shape: z.ZodType][] {
  const added = addedTo(app, record).flatMap(({ shape }) => Object.entries<z.ZodType>(shape.shape));
  return added.filter(([field]) => !Object.hasOwn(record.shape, field));
}

function addedTo({ plugins }: App, { shape }: z.ZodObject): WorkflowFields[] {
  const all = plugins.flatMap(({ workflowFields = [] }) => workflowFields);
  return all.filter(({ needs }) => needs.every((each) => Object.hasOwn(shape, each)));
}

/** Adds the current values of the plugins' fields that a workflow names in its conditions or texts. */
export async function withPluginFields(ctx: Context, facts: Facts): Promise<Facts> {
  const { record, event, workflow } = facts;
  const own = event === null ? undefined : declaredEvent(ctx.app, event)?.shape;
  if (!record || !(own instanceof z.ZodObject)) return facts;
  const named = JSON.stringify([workflow.conditions, workflow.actions]);
  const wanted = addedTo(ctx.app, own).filter(({ shape }) =>
    Object.keys(shape.shape).some((field) => named.includes(field)),
  );
  if (wanted.length === 0) return facts;
  const added = await Promise.all(wanted.map((each) => each.read(ctx, record)));
  return { ...facts, record: dictionary([...added.flatMap(Object.entries), ...Object.entries(record)]) };
}
