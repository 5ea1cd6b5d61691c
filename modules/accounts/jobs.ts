import { job, LessThan, plus, sql, toDatabase, type Context } from '@keelson/core';
import { deletedEmployees, deletedTechnicians } from '@keelson/modules/directory';
import { warnOfKeys } from './keys/key-warning.ts';
import { AccountLink, EmployeeSession, TechnicianSession, UsedState } from './entities.ts';

/** Ended sessions are kept for a week, so that late use of a stolen token is still detected. */
const KEPT = { days: -7 } as const;

export default [
  job('accounts.sweep-sessions', '23 3 * * *', sweepSessions),
  job('accounts.warn-of-keys', '12 6 * * *', warnOfKeys),
];

async function sweepSessions(outside: Context<undefined>): Promise<void> {
  await outside.transaction(async (ctx) => {
    const ended = plus(ctx.now, KEPT);
    await ctx.db.run(sql`DELETE FROM refresh_token WHERE session_id IN
      (SELECT session_id FROM employee_session WHERE expires_at < ${toDatabase(ended)})`);
    await ctx.db.delete(AccountLink, { expires_at: LessThan(ended) });
    await ctx.db.delete(EmployeeSession, { expires_at: LessThan(ended) });
    await ctx.db.delete(UsedState, { used_at: LessThan(ended) });
    await ctx.db.delete(TechnicianSession, { expires_at: LessThan(ended) });
  });
  await outside.transaction(forgetDeleted);
}

/** Deletes second factors and linked identities of deleted people (SF-21). */
async function forgetDeleted({ db }: Context): Promise<void> {
  const theirs = sql`employee_number IN ${deletedEmployees} OR user_id IN ${deletedTechnicians}`;
  await db.run(sql`DELETE FROM recovery_code WHERE factor_id IN (SELECT factor_id FROM second_factor WHERE ${theirs})`);
  await db.run(sql`DELETE FROM second_factor WHERE ${theirs}`);
  await db.run(sql`DELETE FROM linked_identity WHERE employee_number IN ${deletedEmployees}`);
}
