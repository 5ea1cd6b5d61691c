// Calendars read their holidays from an address every day.
import { migration } from '../packages/database/migration/migrate.ts';
import { text, when } from '../packages/database/schema/table.ts';

export default migration('1795920228192-holiday-feeds', async (m) => {
  await m.addColumn('level_calendar', 'holidays_url', text(2048).default(''));
  await m.addColumn('level_calendar', 'holidays_read_at', when().nullable());
  await m.addColumn('level_calendar', 'holidays_error', text(500).nullable());
});
