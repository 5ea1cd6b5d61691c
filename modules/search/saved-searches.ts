// Saved searches of employees (F-45), private to each person (Z-20).
import {
  by,
  conflict,
  create,
  findVisible,
  input,
  invalid,
  is,
  lock,
  normalised,
  record,
  remove,
  view,
  z,
  type Context,
  type EmployeeActor,
} from '@keelson/core';
import { searchTypes } from '@keelson/core/search';
import { knownToEmployees } from './answer.ts';
import { SavedSearch } from './entities.ts';

/** Limit per person. */
const MOST_SEARCHES = 100;
const MOST_TYPES = 20;
const MOST_FILTERS = 20;

const SavedSearches = record(SavedSearch, {
  title: 'Search',
  logTitle: 'Saved search',
  call: ({ name }) => name,
  sorts: { created_at: by('created_at') },
  taken: ({ name }) => `name ${name} already exists`,
  derive: ({ name }) => ({ name_key: normalised(name) }),
});

export const OwnSearch = view(SavedSearches, {
  visible: ({ actor }: Context<EmployeeActor>) => [is('employee_number', actor.employee_number)],
});

export const newSearch = z.object({
  name: input.text(255, { compared: true }),
  query: input.text(255),
  types: input.optional(z.array(input.text(64)).max(MOST_TYPES)),
  filters: input.optional(
    z
      .record(input.text(64), z.union([input.secret(255), z.number(), z.boolean(), z.null()]))
      .refine((given) => Object.keys(given).length <= MOST_FILTERS, `must have at most ${MOST_FILTERS} entries`),
  ),
});

/**
 * Saves a search.
 * @throws invalid() for an unknown type; duplicate() for a name already used; conflict() at the limit
 */
export async function saveSearch(
  ctx: Context<EmployeeActor>,
  { name, query, types = [], filters = {} }: z.output<typeof newSearch>,
): Promise<SavedSearch> {
  const { employee_number } = ctx.actor;
  const known = searchTypes(ctx.app, 'helpdesk', knownToEmployees);
  const wanted = [...new Set(types.map((each) => each.toLowerCase()))];
  if (wanted.some((each) => !known.includes(each))) throw invalid(`types must be among: ${known.join(', ')}`);
  if ((await ctx.db.countBy(SavedSearch, { employee_number })) >= MOST_SEARCHES)
    throw conflict(`Limit of ${MOST_SEARCHES} saved searches reached: delete some first`);
  return create(ctx, SavedSearches, { employee_number, name, query, types: wanted, filters });
}

/** Locks one of the person's own searches. @throws notFound() */
export async function lockSearch(ctx: Context<EmployeeActor>, id: number): Promise<SavedSearch> {
  await findVisible(ctx, OwnSearch, id);
  return lock(ctx, SavedSearches, id);
}

export async function deleteSearch(ctx: Context, search: SavedSearch): Promise<void> {
  await remove(ctx, SavedSearches, search);
}

/** Deletes all searches of a person. */
export async function forgetSearches(ctx: Context, employee_number: number): Promise<void> {
  await remove(
    ctx,
    SavedSearches,
    await ctx.db.find(SavedSearch, { where: { employee_number }, lock: { mode: 'pessimistic_write' } }),
  );
}
