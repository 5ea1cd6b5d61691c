// Invariants that hold after any fault, read directly from the database: no acknowledged write is lost or partial.
import type { Place } from './_place.ts';
import type { Acked } from './_writers.ts';

/** Returns violated invariants as sentences; empty when all hold. */
export async function findFaults({ ask }: Pick<Place, 'ask'>, acked: readonly Acked[]): Promise<string[]> {
  const tickets = await ask('SELECT ticket_id, ticket_number, subject FROM ticket');
  return [
    ...lost(tickets, acked),
    ...doubles(
      'ticket number',
      tickets.map((each) => each['ticket_number']),
    ),
    ...doubles(
      'subject',
      tickets.map((each) => each['subject']),
    ),
    ...(await companions(ask, tickets)),
    ...(await strayDeliveries(ask)),
    ...(await wrongCounts(ask, tickets.length)),
    ...(await corruption(ask)),
  ];
}

type Ask = Place['ask'];
type Rows = Awaited<ReturnType<Ask>>;

function lost(tickets: Rows, acked: readonly Acked[]): string[] {
  const known = new Map(tickets.map((each) => [each['ticket_id'], each]));
  return acked.flatMap(({ ticket_id, ticket_number, subject }) => {
    const row = known.get(ticket_id);
    if (row?.['ticket_number'] === ticket_number && row['subject'] === subject) return [];
    return [`ticket ${ticket_number} (${subject}) was acknowledged and is not there`];
  });
}

function doubles(what: string, values: readonly unknown[]): string[] {
  const seen = new Set<unknown>();
  return values.flatMap((value) =>
    seen.size === seen.add(value).size ? [`${what} ${String(value)} is there twice`] : [],
  );
}

/** Each ticket has exactly one event and one activity line, and neither exists without its ticket. */
async function companions(ask: Ask, tickets: Rows): Promise<string[]> {
  const ids = tickets.map((each) => Number(each['ticket_id']));
  const events = await ask(`SELECT data FROM event WHERE name = 'ticket.created'`);
  const lines = await ask(`SELECT entity_id FROM activity_log WHERE entity_type = 'ticket' AND action = 'create'`);
  const ofEvents = events.map(({ data }) => (typeof data === 'string' ? JSON.parse(data) : data).ticket_id as number);
  const ofLines = lines.map((each) => Number(each['entity_id']));
  return [...difference('event', ids, ofEvents), ...difference('activity line', ids, ofLines)];
}

function difference(what: string, ids: readonly number[], found: readonly number[]): string[] {
  const wanted = new Set(ids);
  const present = new Set(found);
  return [
    ...doubles(`${what} of ticket`, found),
    ...ids.filter((id) => !present.has(id)).map((id) => `ticket ${id} has no ${what}`),
    ...found.filter((id) => !wanted.has(id)).map((id) => `an ${what} speaks of ticket ${id}, which is not there`),
  ];
}

/** Every delivery has an event, and all events of a name have the same number of deliveries. */
async function strayDeliveries(ask: Ask): Promise<string[]> {
  const stray = await ask(`SELECT COUNT(*) AS n FROM delivery
    WHERE NOT EXISTS (SELECT 1 FROM event WHERE event.event_id = delivery.event_id)`);
  const uneven = await ask(`SELECT name, MIN(n) AS least, MAX(n) AS most FROM (
      SELECT event.event_id, event.name, COUNT(delivery.delivery_id) AS n FROM event
      LEFT JOIN delivery ON delivery.event_id = event.event_id GROUP BY event.event_id, event.name) AS each_event
    GROUP BY name HAVING MIN(n) <> MAX(n)`);
  return [
    ...(Number(stray[0]?.['n']) > 0 ? [`${stray[0]?.['n']} deliveries have no event`] : []),
    ...uneven.map((each) => `events ${each['name']} have between ${each['least']} and ${each['most']} deliveries`),
  ];
}

/** Stored counts plus open deltas equal the number of rows, wherever a count is kept. */
async function wrongCounts(ask: Ask, tickets: number): Promise<string[]> {
  const kept = {
    ticket_count: ['company_number <> 0', 'company_number = 0'],
    ticket_count_month: ['company_number <> 0', 'company_number = 0'],
    ticket_count_day: ['1 = 1'],
  };
  const faults: string[] = [];
  for (const [table, scopes] of Object.entries(kept)) {
    for (const scope of scopes) {
      const [row] = await ask(`SELECT (SELECT COALESCE(SUM(n), 0) FROM ${table} WHERE ${scope})
        + (SELECT COALESCE(SUM(n), 0) FROM ticket_count_delta) AS n`);
      if (Number(row?.['n']) !== tickets)
        faults.push(`${table} where ${scope} says ${row?.['n']}, and ${tickets} are there`);
    }
  }
  return [...faults, ...(await wrongGroups(ask))];
}

async function wrongGroups(ask: Ask): Promise<string[]> {
  const counted = {
    ticket_count: ['company_number', 'status', 'priority'],
    ticket_job_type_count: ['job_type', 'status'],
  };
  const faults: string[] = [];
  for (const [table, names] of Object.entries(counted)) {
    const columns = names.join(', ');
    const summed = table === 'ticket_count' ? 'company_number <> 0' : "job_type <> ''";
    const rows = await ask(`SELECT ${columns}, SUM(n) AS n FROM (
        SELECT ${columns}, n FROM ${table} WHERE ${summed}
        UNION ALL SELECT ${columns}, n FROM ${table}_delta
        UNION ALL SELECT ${columns}, -1 FROM ticket WHERE deleted_at IS NULL) AS both_sides
      GROUP BY ${columns} HAVING SUM(n) <> 0`);
    faults.push(...rows.map((each) => `${table}: the count of ${JSON.stringify(each)} is off`));
  }
  return faults;
}

async function corruption(ask: Ask): Promise<string[]> {
  if (process.env['TEST_DATABASE_URL']) {
    const rows = await ask('CHECK TABLE ticket, event, delivery, activity_log, ticket_count_delta');
    return rows.filter((each) => each['Msg_text'] !== 'OK').map((each) => JSON.stringify(each));
  }
  const rows = await ask('PRAGMA integrity_check');
  return rows.filter((each) => each['integrity_check'] !== 'ok').map((each) => JSON.stringify(each));
}
