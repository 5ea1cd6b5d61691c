import type { Context } from '@keelson/core';
import { callerWording } from '@keelson/core/plugin';

/** Returns all permissions available to keys, on every surface, explained in the caller's language. */
export async function listPermissions(ctx: Context) {
  const { t } = await callerWording(ctx);
  return ctx.app.plugins.flatMap(({ id, permissions = [] }) =>
    permissions.map(({ name, surface, controls }) => ({ name, surface, controls: t(controls), plugin: id })),
  );
}
