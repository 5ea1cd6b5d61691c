import { changeAll, IsNull, subscriber } from '@keelson/core';
import { EmployeeDeleted } from '@keelson/modules/directory';
import { Assets } from './assets/assets.ts';
import { Asset } from './entities/asset.ts';

/** Unassigns the assets of a deleted contact (D-06). A second delivery finds none. */
const unassign = subscriber('assets.unassign', EmployeeDeleted, async (ctx, { data: { employee_number } }) => {
  const theirs = await ctx.db.find(Asset, {
    where: { assigned_employee: employee_number, deleted_at: IsNull() },
    lock: { mode: 'pessimistic_write' },
  });
  await changeAll(ctx, Assets, theirs, { assigned_employee: null });
});

export default [unassign];
