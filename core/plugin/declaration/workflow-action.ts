// Workflow actions: what plugins let workflows do, besides the built-in actions.
import type { z } from 'zod';
import type { Context } from '../context.ts';
import type { Access } from '../route/surface.ts';

/** Made by `workflowAction(…)`. */
export interface WorkflowAction {
  /** The plugin id, a dot and a name: `warranty.claim`. */
  readonly name: string;
  /** The label in the editor: `File a warranty claim`. */
  readonly title: string;
  /** Who may save and trigger workflows with it. It runs with system privileges. */
  readonly access: Access<any>;
  /** Fields that the workflow's record must have, such as `ticket_id`. */
  readonly needs: readonly string[];
  /** The fields of the editor. Texts may contain placeholders such as `{{ ticket.subject }}`. */
  readonly input: z.ZodObject;
  readonly run: (ctx: Context, given: { readonly input: any; readonly record: WorkflowRecord }) => Promise<unknown>;
}

/** The record of the workflow's event, or the ticket of a manual run; empty for a schedule. */
export type WorkflowRecord = Readonly<Record<string, unknown>>;

export interface WorkflowActionOptions<I extends z.ZodObject> extends Omit<WorkflowAction, 'name' | 'needs' | 'run'> {
  readonly needs?: readonly string[];
  readonly input: I;
  /**
   * Performs the action, in the transaction that stores its result. The placeholders in `input` are already rendered.
   * @throws Problem to end the run; its message is shown in the history
   */
  readonly run: (
    ctx: Context,
    given: { readonly input: z.output<I>; readonly record: WorkflowRecord },
  ) => Promise<unknown>;
}

/** Declares a workflow action. List it in the plugin's `workflowActions`. */
export function workflowAction<I extends z.ZodObject>(
  name: string,
  { needs = [], ...options }: WorkflowActionOptions<I>,
): WorkflowAction {
  return Object.freeze({ name, needs, ...options });
}
