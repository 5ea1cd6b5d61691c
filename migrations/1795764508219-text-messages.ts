// Adds text messages of escalations: the numbers of team members, and which steps send them.
import { migration } from '../packages/database/migration/migrate.ts';
import { flag, text } from '../packages/database/schema/table.ts';

export default migration('1795764508219-text-messages', async (m) => {
  await m.addColumn('team_member', 'mobile', text(20).default(''));
  await m.addColumn('escalation_step', 'by_sms', flag().default(false));
});
