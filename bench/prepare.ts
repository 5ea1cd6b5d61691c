// Fills a database, once, and creates the bench's credentials. Runs in its own process:
// node bench/prepare.ts <tickets> <sessions> <answer file>
import { writeFileSync } from 'node:fs';
import { loadConfig } from '../config/config.ts';
import type { App } from '../core/plugin/app.ts';
import { openInstallation } from '../core/process/main.ts';
import { SearchProgress } from '../core/search/entities.ts';
import { searchables } from '../core/search/search-sources.ts';
import { createApiKey, openSession } from '../modules/accounts/api.ts';
import { grantAccess } from '../modules/accounts/sessions/access-token.ts';
import { seed } from '../modules/demo/seed/seed.ts';
import { Employee } from '../modules/directory/api.ts';
import { sql } from '../packages/database/statement/sql.ts';
import type { Filled } from './filled.ts';

/** Number of companies a measurement cycles through. */
const COMPANIES = 500;
const SEARCHERS = 14;

const [tickets = 0, sessions = 0] = process.argv.slice(2).map(Number);
const app = await openInstallation(loadConfig());
const found = await app.database.query(sql`SELECT ticket_id FROM ticket LIMIT 1`);
if (found.length === 0 && tickets > 0) {
  const { perSecond } = await seed(app, { tickets, companies: Math.ceil(tickets / 500), index: false });
  await leaveIndexEmpty(app);
  process.stdout.write(`  ${tickets} tickets filled in, ${perSecond} a second\n`);
  if (app.database.dialect === 'mysql') await app.database.query(sql`ANALYZE TABLE ticket`);
}
// The database assigns the floor's ids: keep them far from the product's, which come from its sequences.
await app.database.query(
  app.database.dialect === 'mysql'
    ? sql`ALTER TABLE ticket AUTO_INCREMENT = 1000000000`
    : sql`UPDATE sqlite_sequence SET seq = 1000000000 WHERE name = 'ticket'`,
);
const answer: Filled = {
  key: await key(app),
  searchers: await Promise.all(Array.from({ length: SEARCHERS }, () => key(app))),
  tokens: await tokens(app, sessions),
  companies: await companies(app),
};
writeFileSync(process.argv[4] ?? '', JSON.stringify(answer));
await app.close();

/** Skips indexing: it takes long, and only the `search` part, which builds the index itself, searches old tickets. */
async function leaveIndexEmpty(app: App): Promise<void> {
  for (const { table } of searchables(app))
    await app.database.upsert(SearchProgress, { type: table.name, position: 2_147_483_647 }, ['type']);
}

async function key({ system }: App): Promise<string> {
  const permissions = [
    'tickets:read',
    'tickets:write',
    'companies:read',
    'settings:write',
    'contacts:write',
    'reports:read',
  ];
  const wanted = { type: 'admin', name: 'Bench', permissions, rate_limit_per_minute: 100_000_000 } as const;
  return (await system().transaction((ctx) => createApiKey(ctx, wanted))).api_key;
}

/** Returns tokens of IT admins, who see all tickets of their company; several each, for COMPANIES companies. */
async function tokens({ database, system }: App, n: number): Promise<Filled['tokens']> {
  const people = await database.find(Employee, { where: { it_privileges: true }, take: COMPANIES });
  return system().transaction(async (ctx) => {
    const opened: { token: string; company_number: number }[] = [];
    for (let i = 0; i < n; i++) {
      const person = people[i % people.length];
      if (!person) break;
      const token = grantAccess(ctx, await openSession(ctx, person)).access_token;
      opened.push({ token, company_number: person.company_number });
    }
    return opened;
  });
}

async function companies({ database }: App): Promise<number[]> {
  const rows = await database.query<{ company_number: number }>(sql`SELECT company_number FROM ticket_count
    WHERE company_number > 0 AND status = 'closed' GROUP BY company_number HAVING SUM(n) >= 100 ORDER BY company_number LIMIT ${COMPANIES}`);
  return rows.map((each) => Number(each.company_number));
}
