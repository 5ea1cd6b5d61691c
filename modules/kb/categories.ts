// Categories. They cannot be changed or deleted because no operation is documented for it (K-07).
import { create, invalid, normalised, record, view, type Context, type Given } from '@keelson/core';
import { KbCategory } from './entities.ts';
import { CategoryNames } from './names.ts';

export const Categories = record(KbCategory, {
  title: 'Category',
  call: ({ name }) => name,
  names: CategoryNames,
  taken: ({ name }) => `name ${name} already exists`,
  derive: ({ name }) => ({ name_key: normalised(name) }),
  async prepare(ctx, { parent_id }) {
    if (parent_id !== null) await requireCategory(ctx, parent_id, 'parent_id');
  },
});

/** Category in lists (F-29). */
export const CategoryItem = view(Categories, {
  more: (its) => ({ article_count: its.statistic('article_count') }),
});

/** Adds a category. The name must be unique. */
export function createCategory(ctx: Context, given: Given<typeof Categories>): Promise<KbCategory> {
  return create(ctx, Categories, given);
}

/** Returns all categories in menu order. */
export function listCategories(ctx: Context): Promise<KbCategory[]> {
  return ctx.db.find(KbCategory, { order: { sort_order: 'ASC', name: 'ASC' } });
}

/** Checks that a category exists. @throws invalid() naming the field if the category does not exist */
export async function requireCategory(ctx: Context, category_id: number, field = 'category_id'): Promise<void> {
  const found = await ctx.db.findOneBy(KbCategory, { category_id });
  if (!found) throw invalid(`${field} must be an existing category`);
}

/**
 * Returns the category with this name, or with this id if the text is all digits (N-10); null if there is none.
 */
export function findCategory(ctx: Context, text: string): Promise<KbCategory | null> {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  return ctx.db.findOneBy(KbCategory, id === undefined ? { name_key: normalised(text) } : { category_id: id });
}
