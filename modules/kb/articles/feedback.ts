// "Was this helpful?" feedback; each employee's latest answer counts.
import { sql, type Context, type EmployeeActor } from '@keelson/core';
import { KbFeedback } from '../entities.ts';

/** Stores the signed-in person's feedback on an article visible to them. */
export async function giveFeedback(ctx: Context<EmployeeActor>, article_id: number, helpful: boolean): Promise<void> {
  const { employee_number } = ctx.actor;
  await ctx.db.upsert(KbFeedback, { article_id, employee_number, helpful, created_at: ctx.now }, [
    'article_id',
    'employee_number',
  ]);
}

/** Counts the positive and negative answers. */
export async function readFeedback(ctx: Context, article_id: number) {
  const rows = await ctx.db.query<{ helpful: number; n: number }>(
    sql`SELECT helpful, COUNT(*) AS n FROM kb_feedback WHERE article_id = ${article_id} GROUP BY helpful`,
  );
  const countOf = (helpful: number) => Number(rows.find((each) => Number(each.helpful) === helpful)?.n ?? 0);
  return { helpful_count: countOf(1), unhelpful_count: countOf(0) };
}
