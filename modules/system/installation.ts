import type { App } from '@keelson/core';

/** Returns all permissions available to keys, on every surface. */
export function listPermissions(app: App) {
  return app.plugins.flatMap(({ id, permissions = [] }) =>
    permissions.map(({ name, surface, controls }) => ({ name, surface, controls, plugin: id })),
  );
}
