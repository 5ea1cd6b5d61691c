// Adds logins unknown to customers, and the time of the last re-authentication of a technician in a session.
import { migration } from '../core/database/migrate.ts';
import { flag, when } from '../core/database/table.ts';

export default migration('1763700000063-confirmed', async (m) => {
  await m.addColumn('asset_credential', 'provider_only', flag().default(false));
  await m.addColumn('technician_session', 'confirmed_at', when().nullable());
});
