// Imports that wait half-way, so that a test can cancel one however fast the machine is.
import type { App } from '@keelson/core';
import { ImportRun } from '@keelson/core/system';

/** Makes imports wait once they have stored rows, before they say so, until the returned function is called. */
export function holdImports({ database }: Pick<App, 'database'>): () => void {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { update } = database;
  database.update = async (table, where, set) => {
    if (Object.is(table, ImportRun) && 'created' in set && Number(set.created) > 0) await released;
    return update(table, where, set);
  };
  return () => {
    database.update = update;
    release();
  };
}
