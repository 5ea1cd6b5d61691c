// Articles by a customer's IT admin, for their own company only (K-04).
import { findVisible, forbidden, invalid, lock, type Context, type EmployeeActor } from '@keelson/core';
import { findCategory } from '../categories.ts';
import type { KbArticle } from '../entities.ts';
import { PortalArticle } from './article-list.ts';
import { Articles, createArticle, updateArticle } from './articles.ts';
import { portalTitles, type RelatedInput } from './related.ts';

interface Given {
  /** Name or id (K-06). */
  readonly category?: string | null | undefined;
  readonly tags?: string[] | undefined;
  readonly related?: readonly RelatedInput[] | undefined;
}
type NewPortalArticle = Given & { readonly title: string; readonly content: string };
type PortalChanges = Given & { readonly title?: string | undefined; readonly content?: string | undefined };

/** Publishes an article for the signed-in person's company. @throws invalid() naming the field */
export async function createPortalArticle(
  ctx: Context<EmployeeActor>,
  { category, ...given }: NewPortalArticle,
): Promise<KbArticle> {
  const { company_number } = ctx.actor;
  const category_id = (await categoryOf(ctx, category)) ?? null;
  return createArticle(ctx, { ...given, category_id, company_number, visibility: 'public' }, portalTitles(ctx));
}

/** Locks an article of the IT admin's own company. @throws notFound(); forbidden() for a provider's article (K-09) */
export async function lockOwnArticle(ctx: Context<EmployeeActor>, article_id: number): Promise<KbArticle> {
  const article = await lock(ctx, Articles, article_id);
  await findVisible(ctx, PortalArticle, article_id);
  if (article.company_number === null) throw forbidden();
  return article;
}

/** Changes an article locked by `lockOwnArticle`. */
export async function updatePortalArticle(
  ctx: Context<EmployeeActor>,
  article: KbArticle,
  { category, ...changes }: PortalChanges,
): Promise<KbArticle> {
  const category_id = await categoryOf(ctx, category);
  return updateArticle(ctx, article, { ...changes, category_id }, portalTitles(ctx));
}

/** Returns the id of the named category; passes undefined and null through. @throws invalid() for an unknown one */
async function categoryOf(ctx: Context, text: string | null | undefined): Promise<number | null | undefined> {
  if (text === null || text === undefined) return text;
  const category = await findCategory(ctx, text);
  if (!category) throw invalid('category must be an existing category');
  return category.category_id;
}
