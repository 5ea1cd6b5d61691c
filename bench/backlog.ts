// Builds a backlog of events and deliveries, as a number of ticket commits would leave it.
import type { Connection } from 'mysql2/promise';
import { body } from './webhook-floor.ts';

export interface Stored {
  /** Prefix of the event ids. */
  readonly prefix: string;
  readonly events: number;
}

/** No product event id starts with this: those start with the time. */
const PREFIX = 'ffffff';

/** Stores events with one delivery each. */
export async function backlog(connection: Connection, subscriber: string, events: number, state = 'open') {
  await storeDeliveries(connection, subscriber, await storeEvents(connection, events), state);
}

export async function storeEvents(connection: Connection, events: number): Promise<Stored> {
  const { data } = JSON.parse(body) as { data: unknown };
  const stored = { prefix: `${PREFIX}${Date.now().toString(16)}`, events };
  await connection.query(
    `INSERT INTO event (event_id, name, at, data)
      SELECT ${idOf(stored)}, 'ticket.created', UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE, ? FROM seq_1_to_${events}`,
    [JSON.stringify(data)],
  );
  return stored;
}

export async function storeDeliveries(
  connection: Connection,
  subscriber: string,
  stored: Stored,
  state = 'open',
): Promise<void> {
  await connection.query(
    `INSERT INTO delivery (event_id, subscriber, state, available_at, attempts, fence)
      SELECT ${idOf(stored)}, ?, ?, UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE, 0, 0 FROM seq_1_to_${stored.events}`,
    [subscriber, state],
  );
}

/** Deletes the webhooks too: receivers of an earlier run are gone, and every delivery to them would fail. */
export async function forget(connection: Connection): Promise<void> {
  await connection.query('DELETE FROM webhook');
  await connection.query('TRUNCATE TABLE delivery');
  await connection.query(`DELETE FROM event WHERE event_id LIKE '${PREFIX}%'`);
}

function idOf({ prefix }: Stored): string {
  return `CONCAT('${prefix}', LPAD(HEX(seq), 12, '0'))`;
}
