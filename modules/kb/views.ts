import { sql, type Context } from '@keelson/core';

/** Counts that a customer opened an article (K-08). By hand: it is no change of the article, and the reader waits for it. */
export async function countView(ctx: Context, article_id: number): Promise<void> {
  await ctx.app.database.run(sql`UPDATE kb_article SET views = views + 1 WHERE article_id = ${article_id}`);
}
