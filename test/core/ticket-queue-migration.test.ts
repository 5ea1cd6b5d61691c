// The migration derives who is waiting from the comments, as if it had been tracked from the start.
import test from 'ava';
import { migratorOn } from '../../core/database/migrator.ts';
import { table, sql } from '@keelson/core';
import { startApp, testClock } from '@keelson/core/testing';
import queue from '../../migrations/1763700000043-ticket-queue.ts';
import { asEmployee, asKey, seedEmployee, seedTicket } from '../tickets-seed.ts';

const acts = [
  [],
  ['customer'],
  ['customer', 'provider'],
  ['provider', 'customer', 'customer'],
  ['customer', 'note', 'customer'],
  ['provider', 'note'],
  ['customer', 'close'],
  ['customer', 'provider', 'customer', 'note'],
] as const;

test('tickets that were there before the queue know who waits for whom', async (t) => {
  const app = await startApp(t, { clock: testClock('2026-03-02T10:00:00.000Z') });
  const { database } = app.app;
  const employee = await seedEmployee(app);
  const customer = await asEmployee(app, employee);
  const key = await asKey(app);
  let minute = 10;
  for (const own of [true, false])
    for (const [i, steps] of acts.entries()) {
      const made = await customer('POST', '/tickets', { subject: `Ticket ${i}`, description: 'Broken' });
      const id = own ? made.body.ticket_id : (await seedTicket(app, employee)).ticket_id;
      for (const step of steps) {
        app.clock.set(`2026-03-02T10:${minute++}:00.000Z`);
        const comment = { comment: step, is_internal: step === 'note' };
        if (step === 'customer') await customer('POST', `/tickets/${id}/comments`, { comment: step });
        else if (step === 'close') await key('PUT', `/tickets.php?id=${id}`, { status: 'closed' });
        else await key('POST', `/tickets.php?action=comments&id=${id}`, comment);
      }
    }
  const read = () =>
    database.query(sql`SELECT ticket_id, waiting_since, last_comment_by FROM ticket ORDER BY ticket_id`);
  const noted = await read();
  t.is(new Set(noted.map(({ last_comment_by }) => last_comment_by)).size, 3);
  await database.run(sql`UPDATE ticket SET waiting_since = NULL, last_comment_by = NULL`);
  t.notDeepEqual(await read(), noted);
  const runner = database.source.createQueryRunner();
  const migrator = migratorOn(runner, database.dialect, (work) => work());
  const nothing = async () => {};
  const schema = { addColumn: nothing, addIndex: nothing, runner: nothing, createTable: async () => table('x', {}) };
  await queue.up({ ...migrator, ...(schema as unknown as Partial<typeof migrator>) });
  await runner.release();
  t.deepEqual(await read(), noted);
});
