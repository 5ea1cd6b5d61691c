// Bare Koa floor that writes a ticket and an event in one transaction, without sequential numbers. Shows what slow
// disks allow.
import { createHash } from 'node:crypto';
import Koa from 'koa';
import { createPool, type ResultSetHeader } from 'mysql2/promise';

const [target = ''] = process.argv.slice(2);
const pool = createPool({ uri: target, connectionLimit: 40, timezone: 'Z' });
const insertTicket = `INSERT INTO ticket (ticket_number, subject, description, status, priority, job_type,
  company_number, approval_status, source, created_at, updated_at)
  VALUES (?, ?, ?, 'open', 3, 'General', ?, 'none', 'admin', ?, ?)`;
const insertEvent = 'INSERT INTO event (event_id, name, at, data) VALUES (?, ?, ?, ?)';
let number = 1_500_000_000 + (process.pid % 1000) * 400_000;

const koa = new Koa().use(async (http) => {
  const chunks: Buffer[] = [];
  for await (const chunk of http.req) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString());
  const now = new Date().toISOString().replace('T', ' ').replace('Z', '');
  const mine = number++;
  const connection = await pool.getConnection();
  try {
    await connection.query('START TRANSACTION');
    const values = [mine, body.subject, body.description, body.company_number, now, now];
    const [{ insertId }] = await connection.query<ResultSetHeader>(insertTicket, values);
    const id = createHash('sha1').update(String(mine)).digest('hex').slice(0, 32);
    await connection.query(insertEvent, [id, 'ticket.created', now, JSON.stringify(body)]);
    await connection.query('COMMIT');
    http.status = 201;
    http.body = { success: true, data: { ticket_id: insertId } };
  } finally {
    connection.release();
  }
});
const server = koa.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${JSON.stringify({ port: typeof address === 'object' ? address?.port : 0 })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
