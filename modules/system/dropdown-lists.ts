import { invalid, readDropdown, type Context, type z } from '@keelson/core';
import { dictionary, type Dictionary } from '@keelson/core/kit';
import { changeDropdown, type Dropdown } from '@keelson/core/system';
import type { DropdownItem } from './shapes.ts';

type Item = z.infer<typeof DropdownItem>;

/** Returns the lists of all modules by name, including inactive items (F-66). */
export async function readDropdowns(ctx: Context): Promise<Dictionary<Item[]>> {
  const lists = new Map<string, Item[]>();
  for (const each of declaredLists(ctx)) lists.set(each.name, [...(await readDropdown(ctx, each))]);
  return dictionary(lists);
}

/**
 * Replaces the given lists (ST-05). Returns all lists.
 * @throws invalid() for an unknown list or an invalid item
 */
export async function changeDropdowns(ctx: Context, wanted: Readonly<Record<string, readonly unknown[]>>) {
  const known = new Map(declaredLists(ctx).map((each) => [each.name, each]));
  const named = Object.entries(wanted).map(([name, items]) => ({ list: known.get(name), items }));
  if (named.length === 0) throw invalid('No fields to update');
  for (const { list, items } of named) {
    if (!list) throw invalid(`Request body may contain only: ${[...known.keys()].join(', ')}`);
    await replace(ctx, list, items);
  }
  return readDropdowns(ctx);
}

async function replace(ctx: Context, list: Dropdown<Item>, items: readonly unknown[]): Promise<void> {
  const { before, after } = await changeDropdown(ctx, list, items);
  const changes = difference(before, after);
  if (Object.keys(changes).length === 0) return;
  const description = `${list.title} changed`;
  ctx.record({ action: 'update', entity_type: 'dropdown', entity_id: list.name, description, changes });
}

/** Returns the added, removed and changed items by value. */
function difference(before: readonly Item[], after: readonly Item[]) {
  const [old, now] = [byValue(before), byValue(after)];
  const values = [...new Set([...old.keys(), ...now.keys()])];
  const differ = values.filter((value) => JSON.stringify(old.get(value)) !== JSON.stringify(now.get(value)));
  return Object.fromEntries(differ.map((value) => [value, [old.get(value) ?? null, now.get(value) ?? null] as const]));
}

const byValue = (items: readonly Item[]) => new Map(items.map((each) => [each.value, each]));

const declaredLists = (ctx: Context): readonly Dropdown<Item>[] =>
  ctx.app.plugins.flatMap((plugin) => plugin.dropdowns ?? []);
