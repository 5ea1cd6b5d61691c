import type { App } from '@keelson/core';

/** All permissions that keys of any surface can have. */
export function listPermissions(app: App) {
  return app.plugins.flatMap(({ id, permissions = [] }) =>
    permissions.map(({ name, surface, controls }) => ({ name, surface, controls, plugin: id })),
  );
}
