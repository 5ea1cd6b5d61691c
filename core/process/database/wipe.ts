// Wipes a database on a server, but only one marked as disposable.
import { openDatabase } from '@keelson/database/database.ts';
import { sql } from '@keelson/database/statement/sql.ts';
import { StoredSetting, type Setting } from '../../plugin/setting/settings.ts';

/**
 * Drops every table of the database at `url` if the setting `mark` is stored in it. Leaves an empty one unchanged.
 * @throws Error in one sentence, without changing anything, when there are tables but no mark
 */
export async function emptyDatabase(url: string, mark: Setting): Promise<void> {
  const database = await openDatabase({ url, file: '', tables: [StoredSetting], log: silent, pool: 1 });
  try {
    const found = await database.query<{ name: string }>(
      sql`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()`,
    );
    if (found.length === 0) return;
    const marked = found.some((each) => each.name === StoredSetting.name)
      ? await database.findOneBy(StoredSetting, { name: mark.name })
      : undefined;
    if (!marked) throw new Error('The database is not empty and is not a demo: set DATABASE_URL to a different one.');
    const runner = database.source.createQueryRunner();
    try {
      await runner.clearDatabase();
    } finally {
      await runner.release();
    }
  } finally {
    await database.close();
  }
}

const silent = { warn: () => {} };
