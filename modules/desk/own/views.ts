// Saved views of technicians: a list with its filters, sort and columns. A technician has their own and the shared
// ones.
import { change, create, input, lock, normalised, record, remove, view, z, type Context } from '@keelson/core';
import { TechnicianNames } from '@keelson/modules/directory';
import type { Desk } from '../access.ts';
import { SavedView } from '../entities.ts';
import { announceOwn } from './announce-own.ts';
import { requireOwner, requireRoom, requireSharing } from './owned.ts';

const MOST_FILTERS = 30;
const MOST_COLUMNS = 40;

export const SavedViews = record(SavedView, {
  title: 'View',
  logTitle: 'Saved view',
  call: ({ title }) => title,
  taken: ({ title }) => `title ${title} already exists`,
  derive: ({ title }) => ({ title_key: normalised(title) }),
  announced: false,
  created: (ctx, { user_id }) => announceOwn(ctx, SavedView, user_id),
  changed: (ctx, changes) => changes.forEach(({ after }) => announceOwn(ctx, SavedView, after.user_id)),
  removed: (ctx, rows) => rows.forEach(({ user_id }) => announceOwn(ctx, SavedView, user_id)),
});

export const ViewItem = view(SavedViews, {
  more: (its) => ({ user_name: its.name(TechnicianNames, 'user_id') }),
});

const LIST = /^[a-z][a-z0-9_./-]*$/;

export const viewFields = {
  title: input.text(100, { compared: true }),
  query: z
    .record(input.text(64), z.union([input.secret(255), z.literal(''), z.number(), z.boolean(), z.null()]))
    .refine((given) => Object.keys(given).length <= MOST_FILTERS, `must have at most ${MOST_FILTERS} entries`),
  sort: input.optionalText(64),
  order: input.clearable(input.choice(['asc', 'desc'])),
  columns: z.array(input.text(64)).max(MOST_COLUMNS),
  shared: input.flag(),
};

export const newView = z.object({
  ...viewFields,
  list: input.text(64).refine((list) => LIST.test(list), 'must be the name of a list, such as tickets'),
  query: input.optional(viewFields.query),
  columns: input.optional(viewFields.columns),
  shared: input.optional(viewFields.shared),
});
type NewView = z.output<typeof newView>;

export const viewChanges = input.changes(viewFields);
type ViewChanges = z.output<typeof viewChanges>;

/** Lists the caller's own and the shared views, by title. There are few, so the list is not paginated. */
export async function listViews({ db, actor }: Desk, list: string | undefined): Promise<SavedView[]> {
  const of = list === undefined ? {} : { list };
  const own = await db.findBy(SavedView, { user_id: actor.user_id, ...of });
  const shared = await db.findBy(SavedView, { shared: true, ...of });
  const others = shared.filter((each) => each.user_id !== actor.user_id);
  return [...own, ...others].toSorted((a, b) => a.title.localeCompare(b.title) || a.view_id - b.view_id);
}

/**
 * Saves a view.
 * @throws duplicate() for a title the caller already uses for that list; forbidden() for a shared one; conflict() when
 * there are too many
 */
export async function saveView(ctx: Desk, { query = {}, columns = [], shared = false, ...given }: NewView) {
  const { user_id } = ctx.actor;
  await requireRoom(ctx, SavedView, 'views');
  if (shared) await requireSharing(ctx, SavedView, 'views');
  return create(ctx, SavedViews, { ...given, user_id, query, columns, shared });
}

/** Locks a view that the caller may change (owned.ts). @throws notFound(); forbidden() */
export async function lockView(ctx: Desk, id: number): Promise<SavedView> {
  const found = await lock(ctx, SavedViews, id);
  requireOwner(ctx, found, 'View');
  return found;
}

export async function changeView(ctx: Desk, saved: SavedView, wanted: ViewChanges): Promise<SavedView> {
  if (wanted.shared && !saved.shared) await requireSharing(ctx, SavedView, 'views');
  return change(ctx, SavedViews, saved, wanted);
}

export function deleteView(ctx: Context, saved: SavedView): Promise<void> {
  return remove(ctx, SavedViews, saved);
}
