// Articles by technicians, or by a customer's IT admin for their own company (K-04).
import { change, create, record, type Context, type Given, type Wanted } from '@keelson/core';
import { holdCompany } from '@keelson/modules/directory';
import { requireCategory } from '../categories.ts';
import type { KbArticle } from '../entities.ts';
import { excerptOf } from '../text/excerpt.ts';
import { articleNoun } from './article-list.ts';
import { noTitles, replaceRelated, type RelatedInput, type TitleReaders } from './related.ts';
import { addVersion } from './versions.ts';

export const Articles = record(articleNoun, {
  type: 'article',
  call: ({ title }) => title,
  derive: ({ content }) => ({ excerpt: excerptOf(content) }),
  log: { omit: ['version'] },
  follow: (_, { version }, wanted) => (changesText(wanted) ? { version: version + 1 } : {}),
  async prepare(ctx, after, before) {
    if (after.category_id !== null && after.category_id !== before?.category_id)
      await requireCategory(ctx, after.category_id);
    if (after.company_number !== null && after.company_number !== before?.company_number)
      await holdCompany(ctx, after.company_number);
  },
});

type Links = { readonly related?: readonly RelatedInput[] | undefined };
type NewArticle = Omit<Given<typeof Articles>, 'author_name' | 'views' | 'version'>;
type ArticleChanges = Wanted<typeof Articles>;

/**
 * Adds an article by the current author. `readers` limits the links they can create.
 * @throws invalid() naming the field
 */
export function createArticle(
  ctx: Context,
  { related = [], ...given }: NewArticle & Links,
  readers: TitleReaders = noTitles,
): Promise<KbArticle> {
  const row = { ...given, author_name: ctx.author.name };
  return create(ctx, Articles, row, {
    async store(article) {
      await addVersion(ctx, article);
      await replaceRelated(ctx, article.article_id, related, readers);
    },
  });
}

/** Changes an article locked in the same transaction. The previous text stays in the history. */
export async function updateArticle(
  ctx: Context,
  article: KbArticle,
  { related, ...wanted }: ArticleChanges & Links,
  readers: TitleReaders,
): Promise<KbArticle> {
  const linked = related !== undefined && (await replaceRelated(ctx, article.article_id, related, readers));
  return change(ctx, Articles, article, wanted, {
    extra: linked ? { related: ['changed', 'changed'] } : {},
    store: (after) => (after.version === article.version ? Promise.resolve() : addVersion(ctx, after)),
  });
}

function changesText(wanted: Partial<KbArticle>): boolean {
  return wanted.title !== undefined || wanted.content !== undefined;
}
