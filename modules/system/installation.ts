import type { App } from '@keelson/core';

/** Every permission that a key of some surface can be given. */
export function listPermissions(app: App) {
  return app.plugins.flatMap(({ id, permissions = [] }) =>
    permissions.map(({ name, surface, controls }) => ({ name, surface, controls, plugin: id })),
  );
}
