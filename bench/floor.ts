// The floor the product is measured against. Frozen: bare Koa + @koa/router + the plain driver, naive joins, page and
// COUNT as two statements, no sign-in, no limits, no validation. Do not improve it.
import { DatabaseSync } from 'node:sqlite';
import Router from '@koa/router';
import Koa from 'koa';
import { createPool, type ResultSetHeader } from 'mysql2/promise';

const [kind = '', target = '', port = '0'] = process.argv.slice(2);
const columns = `t.ticket_id, t.ticket_number, t.subject, t.description, t.status, t.priority, t.job_type, t.company_number,
  t.site_number, t.assigned_to, t.created_at, t.updated_at, t.closed_at, c.customer AS company_name, s.site_name,
  u.name AS assigned_name`;
const joins = `ticket t LEFT JOIN company c ON c.company_number = t.company_number
  LEFT JOIN site s ON s.site_number = t.site_number LEFT JOIN technician u ON u.user_id = t.assigned_to`;
const page = `SELECT ${columns} FROM ${joins} WHERE t.company_number = ? AND t.status = ?
  ORDER BY t.created_at DESC, t.ticket_id DESC LIMIT ? OFFSET ?`;
const total = 'SELECT COUNT(*) AS n FROM ticket t WHERE t.company_number = ? AND t.status = ?';
const insert = `INSERT INTO ticket (ticket_number, subject, description, status, priority, job_type, company_number,
  approval_status, source, created_at, updated_at) VALUES (?, ?, ?, 'open', 3, 'General', ?, 'none', 'admin', ?, ?)`;

type Run = (text: string, values: (string | number)[]) => Promise<{ rows: any[]; id: number }>;

function overMysql(): Run {
  const pool = createPool({ uri: target, connectionLimit: 10, timezone: 'Z' });
  return async (text, values) => {
    const [result] = await pool.query(text, values);
    return Array.isArray(result) ? { rows: result, id: 0 } : { rows: [], id: (result as ResultSetHeader).insertId };
  };
}

function overSqlite(): Run {
  const database = new DatabaseSync(target);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000');
  return async (text, values) => {
    const statement = database.prepare(text);
    if (text.startsWith('SELECT')) return { rows: statement.all(...values), id: 0 };
    return { rows: [], id: Number(statement.run(...values).lastInsertRowid) };
  };
}

const run = kind === 'sqlite' ? overSqlite() : overMysql();
const router = new Router();
let number = 1_000_000_000 + (process.pid % 1000) * 1_000_000;

router.get('/tickets', async (http) => {
  const query = http.query as Record<string, string>;
  const company = Number(query['company_number']);
  const size = Number(query['per_page'] ?? 25);
  const at = (Number(query['page'] ?? 1) - 1) * size;
  const { rows } = await run(page, [company, query['status'] ?? 'open', size, at]);
  const counted = await run(total, [company, query['status'] ?? 'open']);
  http.body = { success: true, data: rows, total: counted.rows[0].n };
});
router.get('/one', (http) => {
  http.body = { success: true };
});
router.post('/tickets', async (http) => {
  const chunks: Buffer[] = [];
  for await (const chunk of http.req) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString());
  const now = new Date().toISOString().replace('T', ' ').replace('Z', '');
  const values = [number++, body.subject, body.description ?? '', body.company_number, now, now];
  const { id } = await run(insert, values);
  http.status = 201;
  http.body = { success: true, data: { ticket_id: id } };
});

const server = new Koa().use(router.routes()).listen(Number(port), '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${JSON.stringify({ port: typeof address === 'object' ? address?.port : 0 })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
