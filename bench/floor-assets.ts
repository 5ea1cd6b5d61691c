// The floor for asset lists, built like floor.ts: bare Koa + @koa/router + mysql2, naive joins, page and COUNT as two
// statements, no sign-in, no limits, no validation. Do not improve it.
import Router from '@koa/router';
import Koa from 'koa';
import { createPool } from 'mysql2/promise';

const [, target = '', port = '0'] = process.argv.slice(2);
const pool = createPool({ uri: target, connectionLimit: 10, timezone: 'Z' });
const columns = `a.*, c.customer AS company_name, s.site_name, CONCAT(e.first_name, ' ', e.last_name) AS assigned_name`;
const joins = `asset a LEFT JOIN company c ON c.company_number = a.company_number
  LEFT JOIN site s ON s.site_number = a.site_number LEFT JOIN employee e ON e.employee_number = a.assigned_employee`;
const equal: Readonly<Record<string, string>> = {
  company_number: 'a.company_number',
  site_number: 'a.site_number',
  type: 'a.asset_type',
  status: 'a.status',
};

const router = new Router();
router.get('/assets', async (http) => {
  const query = http.query as Record<string, string>;
  const wheres = ['a.deleted_at IS NULL'];
  const values: (string | number)[] = [];
  for (const [name, column] of Object.entries(equal)) {
    const value = query[name];
    if (value === undefined) continue;
    wheres.push(`${column} = ?`);
    values.push(value);
  }
  if (query['search'] !== undefined) {
    wheres.push('(a.machine_name LIKE ? OR a.serial_number LIKE ? OR a.ip_address LIKE ?)');
    values.push(...Array<string>(3).fill(`%${query['search']}%`));
  }
  const where = wheres.join(' AND ');
  const size = Number(query['per_page'] ?? 25);
  const at = (Number(query['page'] ?? 1) - 1) * size;
  const [rows] = await pool.query(
    `SELECT ${columns} FROM ${joins} WHERE ${where} ORDER BY a.created_at DESC, a.asset_id DESC LIMIT ? OFFSET ?`,
    [...values, size, at],
  );
  const [counted] = await pool.query(`SELECT COUNT(*) AS n FROM asset a WHERE ${where}`, values);
  http.body = { success: true, data: rows, total: (counted as { n: number }[])[0]?.n };
});

const server = new Koa().use(router.routes()).listen(Number(port), '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${JSON.stringify({ port: typeof address === 'object' ? address?.port : 0 })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
