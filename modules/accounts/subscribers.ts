import { subscriber } from '@keelson/core';
import { EmployeeDeleted } from '@keelson/modules/directory';
import { LinkedIdentity } from './entities.ts';
import { removeFactor } from './factors/second-factor.ts';
import { endSessions } from './sessions/session.ts';

// The directory has already ended all sessions of a deleted person. This module also deletes what it stores about them,
// above all the linked identity, which the same person may want to link again (V-25).
export default [
  subscriber('accounts.forget-employee', EmployeeDeleted, async (ctx, { data: { employee_number } }) => {
    await endSessions(ctx, employee_number);
    await removeFactor(ctx, { kind: 'employee', id: employee_number });
    await ctx.db.delete(LinkedIdentity, { employee_number });
  }),
];
