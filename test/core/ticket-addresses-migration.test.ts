// The migration changes edited mail templates to link to tickets by number.
import test from 'ava';
import { sql } from '@keelson/core';
import { startApp } from '@keelson/core/testing';
import { migratorOn } from '../../core/database/migrator.ts';
import { StoredTemplate } from '../../core/mail/stored-template.ts';
import addresses from '../../migrations/1763700000064-ticket-addresses.ts';

test('an edited mail template holds the new address of a ticket, however it was written', async (t) => {
  const { database } = (await startApp(t)).app;
  const body = 'See {{ base_url }}/helpdesk/tickets/{{ ticket_id }} or {{base_url}}/helpdesk/tickets/{{ticket_id}}.';
  await database.update(StoredTemplate, { key: 'ticket_comment' }, { body });
  const runner = database.source.createQueryRunner();
  await addresses.up(migratorOn(runner, database.dialect, (work) => work()));
  await runner.release();
  const rows = await database.query(sql`SELECT body FROM email_template WHERE body IS NOT NULL`);
  t.deepEqual(rows, [{ body: body.replaceAll('ticket_id', 'ticket_number') }]);
});
