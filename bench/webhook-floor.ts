// Both ends of a delivery without the product. Runs in its own process:
// node bench/webhook-floor.ts receiver              responds with 204, reports the count and last arrival to its parent
// node bench/webhook-floor.ts loop <url> <wide>     posts the same body repeatedly over keep-alive, and counts
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Body of a ticket event. */
export const body = JSON.stringify({
  event: 'ticket.created',
  timestamp: '2026-03-02T09:00:00Z',
  data: {
    ticket_id: 1,
    ticket_number: 1001,
    subject: 'Printer does not start',
    description: 'It began on Monday morning and happens to everybody on the second floor. '.repeat(6),
    status: 'open',
    priority: 3,
    job_type: 'General',
    company_number: 1,
    site_number: null,
    company_name: 'Smith & Sons',
    site_name: null,
    assigned_to: null,
    assigned_name: null,
    approval_status: 'none',
    created_at: '2026-03-02T09:00:00.000Z',
    updated_at: '2026-03-02T09:00:00.000Z',
    closed_at: null,
  },
});

function receive(): void {
  let came = 0;
  let last = 0;
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    incoming.on('end', () => {
      came++;
      last = Date.now();
      outgoing.writeHead(204).end();
    });
  });
  process.on('message', () => process.send?.({ came, last }));
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
}

async function loop(url: string, wide: number): Promise<void> {
  let sent = 0;
  const agent = new Agent({ keepAlive: true });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const post = () =>
    new Promise<void>((resolve, reject) => {
      const one = request(url, { method: 'POST', agent, headers }, (answer) => {
        answer.resume();
        answer.on('end', resolve);
      });
      one.on('error', reject);
      one.end(body);
    });
  process.on('message', () => process.send?.({ came: sent, last: 0 }));
  process.send?.({ port: 0 });
  const worker = async () => {
    for (;;) {
      await post();
      sent++;
    }
  };
  await Promise.all(Array.from({ length: wide }, worker));
}

const [mode, url = '', wide = '4'] = process.argv.slice(2);
if (import.meta.main) {
  if (mode === 'receiver') receive();
  else await loop(url, Number(wide));
}
