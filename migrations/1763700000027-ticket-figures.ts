// Adds counters for the dashboard: tickets by requester and priority, pending ones, and closed ones by day.
import { migration, type Migrator } from '../core/database/migrate.ts';
import { big, choice, day, id, int, key } from '../core/database/table.ts';

export default migration('1763700000027-ticket-figures', async (m) => {
  await m.addIndex('ticket', ['requester_employee_number', 'closed_at', 'ticket_id', 'deleted_at']);
  await countRequesters(m);
  await countPending(m);
  await countClosed(m, 'ticket_closed_count', { n: int(), sqlite: '1', mysql: '1' });
  await countClosed(m, 'ticket_open_time', { n: big(), ...openMs });
});

async function countRequesters(m: Migrator): Promise<void> {
  const requester_employee_number = int();
  const status = choice('open', 'in_progress', 'on_hold', 'closed');
  for (const each of ['ticket_requester_count', 'ticket_requester_count_delta'])
    await m.statement({ sqlite: `DROP TABLE IF EXISTS ${each}`, mysql: `DROP TABLE IF EXISTS ${each}` });
  await m.createTable('ticket_requester_count', {
    requester_employee_number: requester_employee_number.primary(),
    status: status.primary(),
    priority: int().primary(),
    n: int(),
  });
  await m.createTable('ticket_requester_count_delta', {
    delta_id: id(),
    requester_employee_number,
    status,
    priority: int(),
    n: int(),
  });
  await fill(m, 'ticket_requester_count', 'requester_employee_number', ['status', 'priority'], `1 = 1`);
}

async function countPending(m: Migrator): Promise<void> {
  const [company_number, requester_employee_number] = [int(), int()];
  await m.createTable('ticket_pending_count', {
    company_number: company_number.primary(),
    requester_employee_number: requester_employee_number.primary(),
    n: int(),
  });
  await m.createTable('ticket_pending_count_delta', {
    delta_id: id(),
    company_number,
    requester_employee_number,
    n: int(),
  });
  const pending = `approval_status = 'pending' AND requester_employee_number IS NOT NULL`;
  await fill(m, 'ticket_pending_count', 'company_number', ['requester_employee_number'], pending);
}

/** Fills a counter per value of the first column, plus totals under 0. */
async function fill(m: Migrator, table: string, first: string, columns: readonly string[], where: string) {
  const others = columns.join(', ');
  const from = `FROM ticket WHERE deleted_at IS NULL AND ${first} IS NOT NULL AND ${where}`;
  const text = `INSERT INTO ${table} (${first}, ${others}, n)
    SELECT ${first}, ${others}, COUNT(*) ${from} GROUP BY ${first}, ${others}
    UNION ALL SELECT 0, ${others}, COUNT(*) ${from} GROUP BY ${others}`;
  await m.statement({ sqlite: text, mysql: text });
}

const openMs = {
  sqlite: 'CAST(ROUND((julianday(closed_at) - julianday(created_at)) * 86400000) AS INTEGER)',
  mysql: 'TIMESTAMPDIFF(MICROSECOND, created_at, closed_at) DIV 1000',
};

interface Amount {
  readonly n: ReturnType<typeof big>;
  readonly sqlite: string;
  readonly mysql: string;
}

async function countClosed(m: Migrator, name: string, { n, ...amount }: Amount): Promise<void> {
  const company_number = int().primary();
  const in_time = int().primary();
  const keys = { company_number, in_time };
  await m.createTable(name, { ...keys, n });
  await m.createTable(`${name}_month`, { ...keys, month: key(7).primary(), n });
  await m.createTable(`${name}_day`, { company_number, day: day().primary(), in_time, n });
  const delta = { delta_id: id(), company_number: int(), in_time: int(), day: day(), n };
  await m.createTable(`${name}_delta`, delta);
  await fillClosed(m, name, amount, { column: 'n', value: '' });
  await fillClosed(m, `${name}_month`, amount, { column: 'month', value: 'SUBSTR(closed_at, 1, 7)' });
  await fillClosed(m, `${name}_day`, amount, { column: 'day', value: 'SUBSTR(closed_at, 1, 10)' });
}

async function fillClosed(
  m: Migrator,
  table: string,
  amount: Omit<Amount, 'n'>,
  by: { column: string; value: string },
) {
  const period = by.value === '' ? [] : [by];
  const columns = ['company_number', 'in_time', ...period.map((each) => each.column)].join(', ');
  const text = (dialect: 'sqlite' | 'mysql') => {
    const target = `CASE priority WHEN 1 THEN 14400000 WHEN 2 THEN 28800000 WHEN 3 THEN 86400000
      WHEN 4 THEN 259200000 ELSE 432000000 END`;
    const rows = (company: string) => `SELECT ${company} AS company_number,
      CASE WHEN ${openMs[dialect]} <= ${target} THEN 1 ELSE 0 END AS in_time,
      ${period.map((each) => `${each.value} AS ${each.column}, `).join('')}${amount[dialect]} AS amount
      FROM ticket WHERE deleted_at IS NULL AND closed_at IS NOT NULL`;
    return `INSERT INTO ${table} (${columns}, n) SELECT ${columns}, SUM(amount) FROM (
      ${rows('company_number')} UNION ALL ${rows('0')}) AS counted GROUP BY ${columns}`;
  };
  await m.statement({ sqlite: text('sqlite'), mysql: text('mysql') });
}
