import { In, job, LessThan, Not, plus, sql, type Context, type Timestamp } from '@keelson/core';
import { removeBefore } from '@keelson/core/database';
import { batchesApart, partsApart } from '@keelson/core/kit';
import { deletedEmployees, deletedTechnicians } from '@keelson/modules/directory';
import { AccountLink, EmployeeSession, RefreshToken, TechnicianSession, UsedState } from './entities.ts';
import { warnOfKeys } from './keys/key-warning.ts';

/** Ended sessions are kept for a week, so that late use of a stolen token is still detected. */
const KEPT = { days: -7 } as const;
const AT_ONCE = 500;

export default [
  job('accounts.sweep-sessions', '23 3 * * *', sweepSessions, { title: 'Delete expired sessions' }),
  job('accounts.warn-of-keys', '12 6 * * *', warnOfKeys, { title: 'Warn of expiring API keys' }),
];

/** @throws AggregateError naming the kinds of rows and the rows that failed, once the others are done */
async function sweepSessions(outside: Context<undefined>): Promise<void> {
  const { database } = outside.app;
  const ended = plus(outside.now, KEPT);
  const tasks = [
    { name: 'employee sessions', run: () => sweepEmployees(outside, ended) },
    { name: 'technician sessions', run: () => removeBefore(database, TechnicianSession, 'expires_at', ended) },
    { name: 'links', run: () => removeBefore(database, AccountLink, 'expires_at', ended) },
    { name: 'provider sign-ins', run: () => removeBefore(database, UsedState, 'used_at', ended) },
    { name: 'second factors', run: () => outside.transaction(forgetFactors) },
    { name: 'linked identities', run: () => forgetIdentities(outside) },
  ];
  await partsApart(tasks);
}

/** Deletes ended sessions of employees with their refresh tokens. */
async function sweepEmployees(outside: Context<undefined>, ended: Timestamp): Promise<void> {
  const expires_at = LessThan(ended);
  await batchesApart<number>({
    size: AT_ONCE,
    async read(failed) {
      const where = { expires_at, session_id: Not(In(failed)) };
      const rows = await outside.db.find(EmployeeSession, { where, order: { expires_at: 'ASC' }, take: AT_ONCE });
      return rows.map((each) => each.session_id);
    },
    nameOf: (id) => `session ${id}`,
    work: (ids) =>
      outside.transaction(async ({ db }) => {
        await db.delete(RefreshToken, { session_id: In(ids) });
        await db.delete(EmployeeSession, { session_id: In(ids) });
      }),
  });
}

/** Deletes second factors of deleted people (SF-21). */
async function forgetFactors({ db }: Context): Promise<void> {
  const theirs = sql`employee_number IN ${deletedEmployees} OR user_id IN ${deletedTechnicians}`;
  await db.run(sql`DELETE FROM recovery_code WHERE factor_id IN (SELECT factor_id FROM second_factor WHERE ${theirs})`);
  await db.run(sql`DELETE FROM second_factor WHERE ${theirs}`);
}

/** Deletes linked identities of deleted people. */
async function forgetIdentities({ db }: Context): Promise<void> {
  await db.run(sql`DELETE FROM linked_identity WHERE employee_number IN ${deletedEmployees}`);
}
