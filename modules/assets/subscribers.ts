import { changeAll, subscriber } from '@keelson/core';
import { EmployeeDeleted } from '@keelson/modules/directory';
import { Assets } from './assets/assets.ts';
import { Asset } from './entities/asset.ts';

/** Unassigns the assets of a deleted contact (D-06). A second delivery finds none. */
const unassign = subscriber('assets.unassign', EmployeeDeleted, async (ctx, { data: { employee_number } }) => {
  const theirs = await ctx.db.find(Asset, { assigned_employee: employee_number, deleted_at: null }, { lock: true });
  await changeAll(ctx, Assets, theirs, { assigned_employee: null });
});

export default [unassign];
