import type { Bench } from '../bench.ts';
import { serveDatabase } from '../filled.ts';
import type { Request } from '../load-job.ts';
import { ticketsOf } from '../options.ts';
import { creates } from './create.ts';

const WRITERS = 64;
const EACH = 40;

/** Runs 64 writers over two processes, half on each: every create must succeed with a unique number. */
export default async function numbers({ options, report, database: of }: Bench): Promise<void> {
  const [tickets = 0] = ticketsOf(options);
  const database = await of(tickets);
  const products = await Promise.all([serveDatabase(database), serveDatabase(database)]);
  const requests = creates('/admin/api/v1/tickets.php', database);
  const given: number[] = [];
  let refused = 0;
  const writer = async (_: unknown, i: number) => {
    const port = products[i % products.length]?.port ?? 0;
    for (let turn = 0; turn < EACH; turn++) {
      const number = await create(port, requests[(i * EACH + turn) % requests.length]);
      if (number === undefined) refused++;
      else given.push(number);
    }
  };
  try {
    await Promise.all(Array.from({ length: WRITERS }, writer));
  } finally {
    for (const each of products) await each.stop();
  }
  report.table(`${WRITERS} writers on 2 processes`, [
    { created: given.length, refused, 'different numbers': new Set(given).size },
  ]);
  report.measured('numbers', refused + given.length - new Set(given).size);
}

async function create(port: number, request: Request | undefined): Promise<number | undefined> {
  const { path = '', headers = {}, body = '' } = request ?? {};
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body });
  const { data } = (await answer.json()) as { data?: { ticket_number: number } };
  return answer.status === 201 ? data?.ticket_number : undefined;
}
