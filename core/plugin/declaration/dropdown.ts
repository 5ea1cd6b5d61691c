// Dropdowns: lists of values that users choose from and administrators edit (F-66). Each module declares its own. They
// are stored and cached like settings.
import { input } from '@keelson/kit/input.ts';
import { memoize } from '@keelson/kit/memoize.ts';
import { normalised } from '@keelson/kit/normal.ts';
import { invalid } from '@keelson/kit/problem.ts';
import { parse } from '@keelson/kit/validate.ts';
import { z } from 'zod';
import type { App } from '../app.ts';
import type { Context } from '../context.ts';
import { setting, type Reader, type Setting } from '../setting/settings.ts';

/** The members of every item. */
export interface DropdownItem {
  /** Bound to the value while it is listed; never reused. */
  readonly id: number;
  /** The text stored in records. */
  readonly value: string;
  /** The text shown to users. */
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

/** A list declared with `dropdown(…)`. */
export interface Dropdown<Item extends DropdownItem = any> {
  /** The list's name in settings: `job_types`. A third-party list starts with the plugin id and `_`. */
  readonly name: string;
  readonly title: string;
  readonly setting: Setting<StoredList<Item>>;
  /** The schema of an item in a request: a string, or an object in which only `value` is required. */
  readonly given: z.ZodType<GivenItem>;
}

interface GivenItem {
  readonly value: string;
  readonly label?: string | undefined;
  readonly active?: boolean | undefined;
  readonly sort_order?: number | undefined;
}

export interface DropdownOptions<Extra extends Fields> {
  /** The title on the settings page. */
  readonly title: string;
  /** The default items, until an administrator changes them. */
  readonly items: readonly (string | (GivenItem & { readonly [Name in keyof Extra]?: z.input<Extra[Name]> }))[];
  /** Additional members of items. Each needs a `.default()`, because an item may be given as a string. */
  readonly extra?: Extra;
}

const MOST_ITEMS = 500;

/**
 * Declares a dropdown: `dropdown('industries', { title: 'Industries', items: ['Finance', 'Health'] })`. List it in the
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
  // `any`: TypeScript cannot infer zod's object type from a generic record of fields.
  const kept = setting<any>(`dropdown.${name}`, shape, shape.parse(first));
  return Object.freeze({ name, title, setting: kept, given });
}

/** Returns the items in order, including inactive ones. Changes appear at once here, within 2 s in other processes. */
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
 * Replaces the items (ST-05) and returns the list before and after. Values that stay keep their ids. Records keep
 * removed values. Requires a transaction.
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
