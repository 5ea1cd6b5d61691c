// The migration counts the rows that existed before its counters.
import test from 'ava';
import { migratorOn } from '../../core/database/migrator.ts';
import { sql } from '@keelson/core';
import { recount } from '@keelson/core/system';
import { startApp } from '@keelson/core/testing';
import { ClosedCount, OpenTime, PendingCount, RequesterCount } from '../../modules/tickets/entities.ts';
import { seed } from '../../modules/demo/seed.ts';
import figures from '../../migrations/1763700000027-ticket-figures.ts';

test('tickets that were there before the figures are counted by the migration', async (t) => {
  const { app } = await startApp(t);
  const { database } = app;
  await seed(app, { tickets: 400, companies: 2, index: false });
  await database.run(sql`UPDATE ticket SET approval_status = 'pending' WHERE status = 'open'`);
  await database.run(sql`UPDATE ticket SET deleted_at = updated_at WHERE ticket_id <= 20`);
  const tables = [RequesterCount, PendingCount, ClosedCount, OpenTime].flatMap((each) => each.tables);
  for (const { name } of tables) await database.run({ text: `DROP TABLE ${name}`, params: [] });
  const runner = database.source.createQueryRunner();
  const migrator = migratorOn(runner, database.dialect, (work) => work());
  await figures.up({ ...migrator, addIndex: async () => {} });
  await runner.release();
  const read = async () =>
    Promise.all(
      tables.map(async ({ name }) => {
        const rows = await database.query<Record<string, unknown>>({ text: `SELECT * FROM ${name}`, params: [] });
        return [name, rows.map((row) => JSON.stringify(row)).toSorted()] as const;
      }),
    );
  const migrated = await read();
  t.true(migrated.filter(([, rows]) => rows.length > 0).length >= 8);
  for (const counter of [RequesterCount, PendingCount, ClosedCount, OpenTime])
    await recount(database, counter, app.clock.now());
  t.deepEqual(await read(), migrated);
});
