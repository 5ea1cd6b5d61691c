// Plants canary words, which no outsider may read, in every text column of other companies' records.
import type { Table } from '@keelson/core';
import type { TestApp } from '@keelson/testing';
import { namedIndices } from '../packages/database/schema/schema.ts';
import { chance } from './_random.ts';

export interface Planted {
  /** Location of each word: `ticket.subject of 7`. */
  readonly places: ReadonlyMap<string, string>;
  /** Ids of the rows that contain a word, by the name of their key: `ticket_id`. */
  readonly ids: ReadonlyMap<string, readonly number[]>;
}

/** Selects the secret rows. */
export interface Secret {
  /** Companies whose rows are all secret. */
  readonly companies: readonly number[];
  /** Tables whose rows are all secret. */
  readonly tables: ReadonlySet<string>;
  /** Rows only the provider may see, in any company. */
  readonly rows: (table: Table, row: Readonly<Record<string, unknown>>) => boolean;
}

/** Tables to leave unchanged, because the product parses their values. */
const KEPT = new Set(['delivery', 'event', 'mail', 'migration', 'scheduled_job', 'email_template', 'record_change']);

let last = 0;
const newWord = () =>
  `canary${(++last).toString(36).padStart(4, '0')}x${chance().toString(36).slice(2, 10).padEnd(8, '0')}`;

export async function plant(app: TestApp, secret: Secret): Promise<Planted> {
  const { database } = app.app;
  const places = new Map<string, string>();
  const ids = new Map<string, number[]>();
  for (const [table, rows] of await secretRows(app, secret)) {
    // A unit price is a decimal stored as text.
    const columns = textsOf(table).filter((each) => each !== 'unit_price');
    const keys = Object.keys(table.columns).filter((each) => table.columns[each]?.options.primary);
    for (const row of rows) {
      const own = Number(row[table.primary]);
      ids.set(table.primary, [...(ids.get(table.primary) ?? []), own]);
      for (const column of columns.filter((each) => typeof row[each] === 'string')) {
        const word = newWord();
        places.set(word, `${table.name}.${column} of ${own}`);
        const where = Object.fromEntries(keys.map((each) => [each, row[each]]));
        await database.transaction((tx) => tx.update(table, where as never, { [column]: word } as never));
      }
    }
  }
  return { places, ids };
}

/** Returns the companies' rows, found through references, and the rows that are secret themselves. */
async function secretRows({ app }: TestApp, secret: Secret) {
  const all = new Map<Table, Record<string, unknown>[]>();
  for (const table of app.database.tables)
    // Counters follow visibility rules of their own.
    if (!KEPT.has(table.name) && !/_(?:count|delta)$/.test(table.name))
      all.set(table, (await app.database.find(table)) as Record<string, unknown>[]);
  const found = new Map<Table, Set<Record<string, unknown>>>([...all.keys()].map((table) => [table, new Set()]));
  const known = new Map<string, Set<unknown>>([['company', new Set(secret.companies)]]);
  const isSecret = (table: Table, row: Record<string, unknown>): boolean =>
    secret.tables.has(table.name) ||
    secret.rows(table, row) ||
    (table.name === 'company' && secret.companies.includes(Number(row['company_number']))) ||
    Object.entries(table.columns).some(([column, { options }]) => {
      if (column === 'company_number') return secret.companies.includes(Number(row[column]));
      const of = options.references?.table;
      return of !== undefined && of !== 'technician' && (known.get(of)?.has(row[column]) ?? false);
    });
  for (let more = true; more;) {
    more = false;
    for (const [table, rows] of all) {
      const here = found.get(table) ?? new Set();
      const ids = known.get(table.name) ?? new Set();
      known.set(table.name, ids);
      for (const row of rows) {
        if (here.has(row) || !isSecret(table, row)) continue;
        here.add(row);
        ids.add(row[table.primary]);
        more = true;
      }
    }
  }
  return found;
}

/** Returns the free-text columns: no keys, enums, sealed values or machine-readable formats. */
function textsOf(table: Table): string[] {
  const unique = new Set(namedIndices(table).flatMap((each) => (each.unique ? each.columns : [])));
  return Object.entries(table.columns)
    .filter(([column, { options, shape }]) => {
      const { kind, length = 255, primary } = options;
      const isText = (kind === 'text' || kind === 'varchar') && length >= 20;
      return isText && !primary && !unique.has(column) && !MACHINES.test(column) && shape.safeParse('any word').success;
    })
    .map(([column]) => column);
}

const MACHINES =
  /gateway|ip_address|mac_address|seal|secret|hash|password|product_key|token|storage|currency|locale|time_zone|cursor|email/;
