// Fields that plugins add to the records of workflows, for conditions and placeholders.
import type { z } from 'zod';
import type { Context } from '../context.ts';
import type { WorkflowRecord } from './workflow-action.ts';

/** Made by `workflowFields(…)`. */
export interface WorkflowFields {
  /** The plugin id, a dot and a name: `warranty.coverage`. */
  readonly name: string;
  /** Fields that the record must have, such as `ticket_id`. */
  readonly needs: readonly string[];
  readonly shape: z.ZodObject;
  readonly read: (ctx: Context, record: WorkflowRecord) => Promise<WorkflowRecord>;
}

export interface WorkflowFieldsOptions<S extends z.ZodObject> extends Omit<WorkflowFields, 'name' | 'read'> {
  /** The fields, with names that no other plugin adds: `warranty_ends_on`. Conditions offer what suits their types. */
  readonly shape: S;
  /** Reads the current values when a workflow that names one of the fields runs. */
  readonly read: (ctx: Context, record: WorkflowRecord) => Promise<z.output<S>>;
}

/** Declares fields of workflow records. List them in the plugin's `workflowFields`. */
export function workflowFields<S extends z.ZodObject>(name: string, options: WorkflowFieldsOptions<S>): WorkflowFields {
  return Object.freeze({ name, ...options });
}
