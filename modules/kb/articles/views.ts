import { sql, type Context } from '@keelson/core';

/** Counts a view by a customer (K-08). Bypasses the record, because it is not a change and the reader waits for it. */
export async function countView(ctx: Context, article_id: number): Promise<void> {
  await ctx.app.database.run(sql`UPDATE kb_article SET views = views + 1 WHERE article_id = ${article_id}`);
}
