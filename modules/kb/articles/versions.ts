// Version history of articles: title and content after each change.
import { notFound, z, type Context } from '@keelson/core';
import { KbVersion, type KbArticle } from '../entities.ts';

/** Maximum versions per article; older ones are deleted. */
const KEPT = 100;
/** Time limit for a diff, in milliseconds. After that, both texts are shown in full. */
const COMPARE_MS = 100;

export const VersionItem = KbVersion.shape.omit({ version_id: true, article_id: true, content: true });

/** Version with its difference from the previous one. */
export const VersionDetail = VersionItem.extend({
  content: z.string(),
  difference: z.array(z.object({ change: z.enum(['same', 'added', 'removed']), text: z.string() })),
});

/** Adds the article's current text to the history. */
export async function addVersion(ctx: Context, article: KbArticle): Promise<void> {
  const { article_id, version, title, content } = article;
  const author_name = ctx.author.name;
  await ctx.db.insert(KbVersion, { article_id, version, title, content, author_name, created_at: ctx.now });
  if (version > KEPT) await ctx.db.delete(KbVersion, { article_id, version: version - KEPT });
}

/** Returns the versions of an article, newest first, without content. */
export async function listVersions(ctx: Context, { article_id }: KbArticle) {
  return ctx.db.find(KbVersion, { where: { article_id }, order: { version: 'DESC' } });
}

/** Returns a version. @throws notFound() if it does not exist or was deleted */
export async function findVersion(ctx: Context, { article_id }: KbArticle, version: number): Promise<KbVersion> {
  const found = await ctx.db.findOneBy(KbVersion, { article_id, version });
  if (!found) throw notFound('Version');
  return found;
}

/** Returns a version with its difference from the previous one. */
export async function readVersion(ctx: Context, article: KbArticle, version: number) {
  const found = await findVersion(ctx, article, version);
  const before = await ctx.db.findOneBy(KbVersion, { article_id: article.article_id, version: version - 1 });
  return { ...found, difference: await differenceOf(before?.content ?? '', found.content) };
}

async function differenceOf(before: string, after: string) {
  const { diffLines } = await import('diff');
  const parts = diffLines(before, after, { timeout: COMPARE_MS });
  if (!parts)
    return [
      { change: 'removed' as const, text: before },
      { change: 'added' as const, text: after },
    ];
  return parts.map(({ added, removed, value }) => ({
    change: added ? ('added' as const) : removed ? ('removed' as const) : ('same' as const),
    text: value,
  }));
}
