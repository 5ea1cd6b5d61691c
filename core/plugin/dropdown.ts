// Lists of words that people choose from and administrators change (F-66): declared by the module that uses one, stored
// like a setting, and read from the settings' cache.
import { z } from 'zod';
import type { Context } from './context.ts';
import { input } from '../kit/input.ts';
import { parse } from '../kit/validate.ts';
import { invalid } from '../kit/problem.ts';
import { memoize } from '../kit/memoize.ts';
import { normalised } from '../kit/normal.ts';
import { setting, type Reader, type Setting } from './settings.ts';
import type { App } from './app.ts';

/** What every item has. */
export interface DropdownItem {
  /** Stays with the value as long as the value is listed; never given to another one. */
  readonly id: number;
  /** What records store. */
  readonly value: string;
  /** What people read. */
  readonly label: string;
  /** Offered for new records. */
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
  /** One item as a caller gives it: its text alone, or an object of which only `value` is required. */
  readonly given: z.ZodType<GivenItem>;
}

interface GivenItem {
  readonly value: string;
  readonly label?: string | undefined;
  readonly active?: boolean | undefined;
  readonly sort_order?: number | undefined;
}

export interface DropdownOptions<Extra extends Fields> {
  /** As the settings page shows it. */
  readonly title: string;
  /** What is listed until an administrator changes it. */
  readonly items: readonly (string | (GivenItem & { readonly [Name in keyof Extra]?: z.input<Extra[Name]> }))[];
  /** Further members of each item; each needs a `.default()`, for an item may be given as its text alone. */
  readonly extra?: Extra;
}

const MOST_ITEMS = 500;

/**
 * Declares a list: `dropdown('industries', { title: 'Industries', items: ['Finance', 'Health'] })`. Put it among the
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
  // `any`: inference does not follow a generic record of fields into zod's object; the shape says what is stored.
  const kept = setting<any>(`dropdown.${name}`, shape, shape.parse(first));
  return Object.freeze({ name, title, setting: kept, given });
}

/** A list as it is now, inactive items too, in the order people see. A change counts at once here, within 2 s elsewhere. */
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
 * Replaces a list (ST-05): a value that stays keeps its id. Records keep values that vanish. Runs in a transaction;
 * answers the list before and after.
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
