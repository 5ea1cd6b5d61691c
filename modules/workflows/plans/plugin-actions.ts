// Actions that plugins add to workflows.
import { invalid, perApp, type Context } from '@keelson/core';
import { dictionary, parse, safeParse } from '@keelson/core/kit';
import type { WorkflowAction } from '@keelson/core/plugin';
import type { Action } from '../definitions/fields.ts';
import type { Facts } from '../runs/facts.ts';
import { ActionFailed, type Plan } from './planned-action.ts';
import { renderText } from './words.ts';

type PluginAction = Extract<Action, { type: 'plugin_action' }>;

/** The actions of all plugins, by name. */
export const pluginActions = perApp(
  ({ plugins }): ReadonlyMap<string, WorkflowAction> =>
    new Map(plugins.flatMap(({ workflowActions = [] }) => workflowActions.map((each) => [each.name, each] as const))),
);

/**
 * Returns the errors of a plugin's action in a definition.
 * @param has whether the workflow's record has a field
 */
export function pluginActionFaults(
  { app }: Context,
  { name, input = {} }: PluginAction,
  has: (field: string) => boolean,
): string[] {
  const declared = pluginActions(app).get(name);
  if (!declared) return [`.name must be one of: ${[...pluginActions(app).keys()].join(', ')}`];
  const lacking = declared.needs.filter((each) => !has(each));
  if (lacking.length > 0) return [`.name ${name} requires a record with ${lacking.join(', ')}`];
  const read = safeParse(declared.input, input, 'input');
  if ('value' in read) return [];
  return [...read.errors].map(([field, message]) => (field === '' ? `.${message}` : `.input.${message}`));
}

/** Plans an action of a plugin. @throws ActionFailed if the plugin is not installed */
export async function planPluginAction(ctx: Context, facts: Facts, { name, input = {} }: PluginAction): Promise<Plan> {
  const declared = pluginActions(ctx.app).get(name);
  if (!declared) throw new ActionFailed(`The plugin of the action ${name} is not installed`);
  const record = facts.record ?? dictionary<unknown>([]);
  const lacking = declared.needs.filter((each) => record[each] === undefined || record[each] === null);
  if (lacking.length > 0) throw invalid(`The record has no ${lacking.join(', ')}`);
  const filled = Object.entries(input).map(([field, value]) => [
    field,
    typeof value === 'string' ? renderText(ctx, facts, value) : value,
  ]);
  const given = parse(declared.input, Object.fromEntries(filled), 'input', ctx.app.zone);
  return { shown: { name, ...given }, act: (tx) => declared.run(tx, { input: given, record }) };
}

/** Returns the texts that may contain placeholders. */
export const textsOfPluginAction = ({ input = {} }: PluginAction): (readonly [field: string, text: string])[] =>
  Object.entries(input).flatMap(([field, value]) => (typeof value === 'string' ? [[`input.${field}`, value]] : []));
