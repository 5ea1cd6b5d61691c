// One import batch: stores the valid rows in one transaction and returns the errors.
import { changeAll, DuplicateKey, In, normalised, Problem, type Context } from '@keelson/core';
import type { ImportedRow, RowError, StoredBatch } from '@keelson/core/files';
import { yieldToOthers } from '@keelson/core/kit';
import { announceAllNew, newRow } from '@keelson/core/record';
import { claimAll } from '../address-claims.ts';
import { Employee } from '../entities/employee.ts';
import { newHash, storeEmployeePassword } from '../sign-in/passwords.ts';
import {
  companyOf,
  faultOf,
  readKnown,
  readPlaces,
  type BatchOptions,
  type Known,
  type Places,
  type Row,
  type SliceOptions,
  type Wanted,
} from './employee-batch-check.ts';
import type { EmployeeRow } from './employee-fields.ts';
import { Employees, withDefaults } from './employees.ts';

const MOST_TRIES = 3;
const SLICE = 250;
/** Slices in flight: while the database stores one, the next is prepared. */
const SLICES_AHEAD = 3;
/** Concurrent password hashes, leaving a thread for sign-ins. */
const HASHES = 2;

/** Stores the rows of a batch. Opens its own transaction. */
export async function storeEmployees(
  ctx: Context,
  imported: readonly ImportedRow<EmployeeRow>[],
  options: BatchOptions,
): Promise<StoredBatch> {
  const rows = imported.map(rowOf);
  const hashes = await hashPasswords(ctx, rows);
  for (let tries = 1; ; tries++) {
    // Most files contain only new people, so existing ones are read only after the database has refused a row.
    const lookUp = options.update_existing || options.judged !== undefined || tries > 1;
    try {
      return await ctx.transaction((inside) => storeSlices(inside, rows, hashes, { ...options, lookUp }));
    } catch (error) {
      if (!(error instanceof DuplicateKey) || tries === MOST_TRIES) throw error;
    }
  }
}

function rowOf({ row, values }: ImportedRow<EmployeeRow>): Row {
  const key = normalised(values.email);
  // Few files contain passwords: rows without one need no copy.
  if (!('password' in values)) return { row, values, key, password: undefined };
  const { password, ...rest } = values;
  return { row, values: rest, key, password };
}

/** Stores the rows slice by slice, so that other requests run in between. */
async function storeSlices(
  ctx: Context,
  rows: readonly Row[],
  hashes: ReadonlyMap<Row, string | Problem>,
  options: SliceOptions,
): Promise<StoredBatch> {
  const places = await readPlaces(ctx, rows, options);
  const storing: Promise<StoredBatch>[] = [];
  for (let at = 0; at < rows.length; at += SLICE) {
    const stored = storeSlice(ctx, { rows: rows.slice(at, at + SLICE), places, hashes, options });
    // `Promise.all` below reports the error; until then it must not count as unhandled.
    stored.catch(() => undefined);
    storing.push(stored);
    // With look-ups, the next slice must see what this one has stored.
    await (options.lookUp ? stored : storing.at(-SLICES_AHEAD));
    await yieldToOthers();
  }
  const all = await Promise.all(storing);
  const sum = (of: 'created' | 'updated') => all.reduce((total, each) => total + each[of], 0);
  return { created: sum('created'), updated: sum('updated'), errors: all.flatMap((each) => each.errors) };
}

async function hashPasswords(ctx: Context, rows: readonly Row[]): Promise<ReadonlyMap<Row, string | Problem>> {
  const waiting = rows.filter((each) => each.password !== undefined).values();
  const hashes = new Map<Row, string | Problem>();
  const work = async () => {
    for (const row of waiting) hashes.set(row, await hashOf(ctx, row));
  };
  await Promise.all(Array.from({ length: HASHES }, work));
  return hashes;
}

async function hashOf(ctx: Context, { values: { email }, password = '' }: Row): Promise<string | Problem> {
  try {
    return await newHash(ctx, password, { email });
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

interface Slice {
  readonly rows: readonly Row[];
  readonly places: Places;
  readonly hashes: ReadonlyMap<Row, string | Problem>;
  readonly options: SliceOptions;
}

async function storeSlice(ctx: Context, { rows, places, hashes, options }: Slice): Promise<StoredBatch> {
  const known = await readKnown(ctx, rows, places, options);
  const wanted = options.judged ?? new Map<string, Wanted>();
  const errors: RowError[] = [];
  let created = 0;
  let updated = 0;
  for (const row of rows) {
    const fault = faultOf(row, wanted.get(row.key), known, hashes.get(row), options);
    if (fault) errors.push({ row: row.row, ...fault });
    else if (add(wanted, row, known, hashes.get(row), options) === 'created') created++;
    else updated++;
  }
  if (!options.judged) await storeWanted(ctx, [...wanted.values()], rows);
  return { created, updated, errors };
}

function add(
  wanted: Map<string, Wanted>,
  { key, values }: Row,
  known: Known,
  hash: string | Problem | undefined,
  options: BatchOptions,
): 'created' | 'updated' {
  const company_number = companyOf(values, options) ?? 0;
  const earlier = wanted.get(key);
  const before = earlier?.before ?? known.people.get(key);
  wanted.set(key, {
    before,
    values: { ...(earlier ? merged(earlier.values, values) : values), company_number },
    hash: typeof hash === 'string' ? hash : earlier?.hash,
  });
  return before || earlier ? 'updated' : 'created';
}

/** Merges a person's repeated rows: a later row overrides the values it gives. */
function merged<V extends object>(earlier: V, later: V): V {
  return { ...earlier, ...Object.fromEntries(Object.entries(later).filter(([, value]) => value !== undefined)) };
}

async function storeWanted(ctx: Context, wanted: readonly Wanted[], rows: readonly Row[]): Promise<void> {
  await storeNew(
    ctx,
    wanted.filter((each) => !each.before),
    rows,
  );
  await storeChanged(ctx, wanted);
}

/** Inserts the rows directly: many rows in one statement, counted together, with one log entry. */
async function storeNew(ctx: Context, wanted: readonly Wanted[], rows: readonly Row[]): Promise<void> {
  if (wanted.length === 0) return;
  const inserted = wanted.map(({ values, hash }) =>
    newRow(ctx, Employees, withDefaults(hash === undefined ? values : { ...values, password_hash: hash })),
  );
  await ctx.db.insert(Employee, inserted);
  const email_key = inserted.flatMap((each) => each.email_key ?? []);
  await claimAll(ctx, email_key);
  announceAllNew(ctx, Employees, await ctx.db.findBy(Employee, { email_key: In(email_key) }), {
    entity_id: 'import',
    description: `${wanted.length} contacts imported from rows ${rows[0]?.row} to ${rows.at(-1)?.row} of a file`,
  });
}

async function storeChanged(ctx: Context, wanted: readonly Wanted[]): Promise<void> {
  const known = new Map(wanted.flatMap((each) => (each.before ? [[each.before.employee_number, each]] : [])));
  const people = wanted.flatMap((each) => each.before ?? []);
  const changed = await changeAll(ctx, Employees, people, ({ employee_number }) => {
    const { company_number: _same, ...values } = known.get(employee_number)?.values ?? {};
    return values;
  });
  const after = new Map(changed.map((each) => [each.employee_number, each]));
  for (const person of people) {
    const { employee_number } = person;
    const hash = known.get(employee_number)?.hash;
    if (hash !== undefined) await storeEmployeePassword(ctx, after.get(employee_number) ?? person, hash);
  }
}
