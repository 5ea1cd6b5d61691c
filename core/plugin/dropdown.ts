// Dropdowns: lists of values that people choose from and administrators edit (F-66). A module declares its own; they are
// stored and cached like settings.
import { z } from 'zod';
import type { Context } from './context.ts';
import { input } from '../kit/input.ts';
import { parse } from '../kit/validate.ts';
import { invalid } from '../kit/problem.ts';
import { memoize } from '../kit/memoize.ts';
import { normalised } from '../kit/normal.ts';
import { setting, type Reader, type Setting } from './settings.ts';
import type { App } from './app.ts';

/** The members of every item. */
export interface DropdownItem {
  /** Belongs to the value as long as it is listed; never reused. */
  readonly id: number;
  /** The text that records store. */
  readonly value: string;
  /** The text that people see. */
  readonly label: string;
  /** Whether it is offered for new records. */
  readonly active: boolean;
  readonly sort_order: number;
}

type Fields = z.ZodRawShape;
type ItemOf<Extra extends Fields> = DropdownItem & Readonly<z.output<z.ZodObject<Extra>>>;

interface StoredList<Item> {
  readonly next_id: number;
  readonly items: readonly Item[];
}

/** A list of words that `dropdown(…)` declares. */
export interface Dropdown<Item extends DropdownItem = any> {
  /** `job_types`: the list's name in the settings; a third party's starts with its id and `_`. */
  readonly name: string;
  readonly title: string;
  readonly setting: Setting<StoredList<Item>>;
  /** The schema of an item in a request: its text, or an object of which only `value` is required. */
  readonly given: z.ZodType<GivenItem>;
}

interface GivenItem {
  readonly value: string;
  readonly label?: string | undefined;
  readonly active?: boolean | undefined;
  readonly sort_order?: number | undefined;
}

export interface DropdownOptions<Extra extends Fields> {
  /** Its name on the settings page. */
  readonly title: string;
  /** The items until an administrator changes them. */
  readonly items: readonly (string | (GivenItem & { readonly [Name in keyof Extra]?: z.input<Extra[Name]> }))[];
  /** Further members of items; each needs a `.default()`, because an item may be given as its text only. */
  readonly extra?: Extra;
}

const MOST_ITEMS = 500;

/**
 * Declares a dropdown: `dropdown('industries', { title: 'Industries', items: ['Finance', 'Health'] })`. Put it among the
 * plugin's `dropdowns` and read it with `readDropdown`.
 */
export function dropdown<const Extra extends Fields = {}>(
  name: string,
  { title, items, extra }: DropdownOptions<Extra>,
): Dropdown<ItemOf<Extra>> {
  const own = { value: z.string(), label: z.string(), active: z.boolean(), sort_order: z.int() };
  const stored = z.object({ id: z.int(), ...own, ...extra });
  const asked = z.object({
    value: input.text(100),
    label: input.optionalText(100),
    active: input.optional(input.flag()),
    sort_order: input.optional(input.int(0, 1_000_000)),
    ...extra,
  });
  const given = z.preprocess((each) => (typeof each === 'string' ? { value: each } : each), asked);
  const shape = z.object({ next_id: z.int(), items: z.array(stored) });
  const first = numbered(
    items.map((each) => given.parse(each)),
    { next_id: 1, items: [] },
  );
  // `any`: TypeScript cannot infer zod's object from a generic record of fields.
  const kept = setting<any>(`dropdown.${name}`, shape, shape.parse(first));
  return Object.freeze({ name, title, setting: kept, given });
}

/** The items in their order, including inactive ones. Changes are seen at once in this process, in others within 2 s. */
export async function readDropdown<Item extends DropdownItem>(
  ctx: Reader & { readonly app: App },
  list: Dropdown<Item>,
): Promise<readonly Item[]> {
  const { items } = await ctx.app.settings.get(ctx, list.setting);
  return inOrder(items) as readonly Item[];
}

const inOrder = memoize((items: readonly DropdownItem[]): readonly unknown[] =>
  items.toSorted((a, b) => a.sort_order - b.sort_order),
);

/**
 * Replaces the items (ST-05); answers them before and after. Values that stay keep their ids; records keep values that
 * were removed. Must be called in a transaction.
 * @throws invalid() naming list, item and member
 */
export async function changeDropdown<Item extends DropdownItem>(
  ctx: Context,
  list: Dropdown<Item>,
  wanted: readonly unknown[],
): Promise<{ readonly before: readonly Item[]; readonly after: readonly Item[] }> {
  const shape = z.object({ [list.name]: z.array(list.given).max(MOST_ITEMS) });
  const items = parse(shape, { [list.name]: wanted })[list.name] ?? [];
  const keys = items.map((each) => normalised(each.value));
  const again = keys.findIndex((key, i) => keys.indexOf(key) < i);
  if (again >= 0) throw invalid(`${list.name}[${again}].value is listed twice`);
  const { before, after } = await ctx.app.settings.change(ctx, list.setting, (known) =>
    list.setting.shape.parse(numbered(items, known)),
  );
  return { before: before.items, after: after.items };
}

function numbered(given: readonly GivenItem[], known: StoredList<DropdownItem>): StoredList<DropdownItem> {
  const ids = new Map(known.items.map(({ id, value }) => [normalised(value), id]));
  let next = known.next_id;
  const items = given.map((each, i) => ({
    ...each,
    id: ids.get(normalised(each.value)) ?? next++,
    label: each.label || each.value,
    active: each.active ?? true,
    sort_order: each.sort_order ?? i + 1,
  }));
  return { next_id: next, items };
}
