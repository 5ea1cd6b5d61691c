import { setTimeout as wait } from 'node:timers/promises';
import type { Connection, RowDataPacket } from 'mysql2/promise';

/** Waits until the search index has caught up, so that earlier writes do not count against the next measurement. */
export async function indexed(connection: Connection): Promise<void> {
  for (;;) {
    const [rows] = await connection.query<RowDataPacket[]>('SELECT 1 FROM record_change WHERE indexed = 0 LIMIT 1');
    if (rows.length === 0) return;
    await wait(100);
  }
}
