// A process that stores one upload and kills itself at a given point.
import { once } from 'node:events';
import { Ticket } from '@keelson/modules/tickets';
import { loadConfig } from '../../config/config.ts';
import { keepFiles } from '../../core/attachments/store-attachment.ts';
import type { App } from '../../core/plugin/app.ts';
import { openInstallation } from '../../core/process/main.ts';
import { arrivals } from '../../packages/storage/arrival.ts';

/**
 * Points at which to kill the process: during the first bytes, before storing the file, before its row, before the
 * commit, and before the response.
 */
export const points = ['arriving', 'arrived', 'stored', 'written', 'committed'] as const;
export type Point = (typeof points)[number];

/** Returns the uploaded bytes: different for each point, and longer than one chunk. */
export function bytesFor(point: Point): Buffer {
  return Buffer.from(`${point} `.repeat(100_000));
}

async function uploadUntil(app: App, point: Point, ticket_id: number): Promise<void> {
  const die = (at: Point) => {
    if (at === point) process.kill(process.pid, 'SIGKILL');
  };
  const arriving = arrivals(app.storage.arrivals);
  const stream = arriving.receive(`${point}.txt`);
  const bytes = bytesFor(point);
  if (!stream.write(bytes.subarray(0, bytes.length / 2))) await once(stream, 'drain');
  die('arriving');
  stream.end(bytes.subarray(bytes.length / 2));
  const files = await arriving.settled();
  die('arrived');
  const [ticket] = await app.database.findBy(Ticket, { ticket_id });
  if (!ticket) throw new Error('There is no ticket');
  const { company_number: company } = ticket;
  const rest = { noun: 'ticket', called: `ticket ${ticket_id}`, company, part: null, internal: false };
  await app.system().transaction(async (ctx) => {
    await keepFiles(ctx, files, async () => {
      die('stored');
      return { table: Ticket, row: ticket, ...rest };
    });
    die('written');
  });
  die('committed');
}

if (import.meta.main) {
  const [point = '', ticket = ''] = process.argv.slice(2);
  const app = await openInstallation(loadConfig());
  const known = points.find((each) => each === point);
  if (!known) throw new Error(`Not a point of an upload: ${point}`);
  await uploadUntil(app, known, Number(ticket));
  await app.close();
}
