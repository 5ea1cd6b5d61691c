// Token budget per company and day (W-33). Books the maximum cost before a call and corrects it afterwards, so that the
// budget holds for concurrent calls and for a process that dies in between.
import { DuplicateKey, sql, today, type Context, type Day } from '@keelson/core';
import { AssistantUsage } from '../entities.ts';
import { TokensPerDay } from '../settings.ts';

/** Website visitors share one budget. */
const VISITORS = 0;

export interface Booking {
  readonly company_number: number;
  readonly day: Day;
  readonly tokens: number;
}

/** Books the tokens. Returns undefined when the day's budget is too low. */
export async function book(ctx: Context, company: number | null, tokens: number): Promise<Booking | undefined> {
  const budget = await ctx.app.settings.get(ctx, TokensPerDay);
  if (tokens > budget) return undefined;
  const booking = { company_number: company ?? VISITORS, day: today(ctx), tokens };
  if (await add(ctx, booking, budget)) return booking;
  try {
    await ctx.app.database.insert(AssistantUsage, booking);
    return booking;
  } catch (error) {
    if (!(error instanceof DuplicateKey)) throw error;
    // The row exists: the budget is used up, or another call inserted it first.
    return (await add(ctx, booking, budget)) ? booking : undefined;
  }
}

/** Corrects the booking to the tokens actually used. */
export async function settle({ app }: Context, { company_number, day, tokens }: Booking, used: number): Promise<void> {
  await app.database.run(sql`UPDATE assistant_usage SET tokens = tokens + ${used - tokens}
    WHERE company_number = ${company_number} AND day = ${day}`);
}

async function add({ app }: Context, { company_number, day, tokens }: Booking, budget: number): Promise<boolean> {
  const matched = await app.database.run(sql`UPDATE assistant_usage SET tokens = tokens + ${tokens}
    WHERE company_number = ${company_number} AND day = ${day} AND tokens <= ${budget - tokens}`);
  return matched > 0;
}
