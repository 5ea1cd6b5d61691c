// Fills Keelson's database, once, and signs technicians in. Runs in its own process:
// node bench/compare/keelson-fill.ts <cookie file>
import { writeFileSync } from 'node:fs';
import { loadConfig } from '../../config/config.ts';
import { openInstallation } from '../../core/process/main.ts';
import { openTechnicianSession } from '../../modules/accounts/api.ts';
import { addTechnicians } from '../../modules/demo/seed/seed-people.ts';
import { seed } from '../../modules/demo/seed/seed.ts';
import { Technician } from '../../modules/directory/api.ts';
import { sql } from '../../packages/database/statement/sql.ts';

const TICKETS = 100_000;
const COMPANIES = 100;
/** A technician may send 3,000 requests and 60 searches a minute, and 300 requests from one browser. */
const TECHNICIANS = 60;
const SESSIONS_EACH = 7;

const app = await openInstallation(loadConfig());
const found = await app.database.query(sql`SELECT ticket_id FROM ticket LIMIT 1`);
if (found.length === 0) await seed(app, { tickets: TICKETS, companies: COMPANIES, index: false });
const known = await app.database.find(Technician, { where: {}, take: TECHNICIANS });
await addTechnicians(app.database, TECHNICIANS - known.length, app.clock.now());
const technicians = await app.database.find(Technician, { where: {}, take: TECHNICIANS });
const cookies = await app.system().transaction(async (ctx) => {
  const opened: string[] = [];
  for (let i = 0; i < SESSIONS_EACH; i++)
    for (const technician of technicians) opened.push(await openTechnicianSession(ctx, technician));
  return opened;
});
writeFileSync(process.argv[2] ?? '', JSON.stringify(cookies));
await app.close();
