// One batch of an import's rows: those that can be stored are, in one transaction; the others are told.
import {
  changeAll,
  DuplicateKey,
  newRow,
  normalised,
  yieldToOthers,
  Problem,
  updateCountersForNew,
  type Context,
  type ImportedRow,
  type RowError,
  type StoredBatch,
} from '@keelson/core';
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
import { Employee } from '../entities/employee.ts';
import { Employees, withDefaults } from './employees.ts';
import { newHash, storeEmployeePassword } from '../sign-in/passwords.ts';

const MOST_TRIES = 3;
const SLICE = 250;
/** Slices on their way: one is stored, the next has arrived. */
const SLICES_AHEAD = 3;
/** Hashes at once: a sign-in must still find a free turn. */
const HASHES = 2;

/** Stores rows with names of their own company; opens its own transaction. */
export async function storeEmployees(
  ctx: Context,
  imported: readonly ImportedRow<EmployeeRow>[],
  options: BatchOptions,
): Promise<StoredBatch> {
  const rows = imported.map(rowOf);
  const hashes = await hashPasswords(ctx, rows);
  for (let tries = 1; ; tries++) {
    // Most files name nobody who is there: they are asked for only when the database has refused somebody.
    const lookUp = options.update_existing || tries > 1;
    try {
      return await ctx.transaction((inside) => storeSlices(inside, rows, hashes, { ...options, lookUp }));
    } catch (error) {
      if (!(error instanceof DuplicateKey) || tries === MOST_TRIES) throw error;
    }
  }
}

function rowOf({ row, values }: ImportedRow<EmployeeRow>): Row {
  const key = normalised(values.email);
  // Few files have any: the others' rows need no copy.
  if (!('password' in values)) return { row, values, key, password: undefined };
  const { password, ...rest } = values;
  return { row, values: rest, key, password };
}

/** The rows in slices, so that other requests go on in between; the next is made ready while the database takes one. */
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
    // Told by all of them together.
    stored.catch(() => undefined);
    storing.push(stored);
    // Who was just stored must be found by the next.
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
  const wanted = new Map<string, Wanted>();
  const errors: RowError[] = [];
  let created = 0;
  let updated = 0;
  for (const row of rows) {
    const fault = faultOf(row, wanted.get(row.key), known, hashes.get(row), options);
    if (fault) errors.push({ row: row.row, ...fault });
    else if (add(wanted, row, known, hashes.get(row), options) === 'created') created++;
    else updated++;
  }
  await storeWanted(ctx, [...wanted.values()], rows);
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

/** What a later row of the same person says, on top of the earlier one's. */
function merged<V extends object>(earlier: V, later: V): V {
  return { ...earlier, ...Object.fromEntries(Object.entries(later).filter(([, value]) => value !== undefined)) };
}

async function storeWanted(ctx: Context, wanted: readonly Wanted[], rows: readonly Row[]): Promise<void> {
  const news = wanted.filter((each) => !each.before);
  const inserted = news.map(({ values, hash }) =>
    newRow(ctx, Employees, withDefaults(hash === undefined ? values : { ...values, password_hash: hash })),
  );
  await ctx.db.insertMany(Employee, inserted);
  updateCountersForNew(ctx, Employee, inserted);
  if (news.length > 0) {
    ctx.record({
      action: 'create',
      entity_type: 'contact',
      entity_id: 'import',
      description: `${news.length} contacts imported from rows ${rows[0]?.row} to ${rows.at(-1)?.row} of a file`,
    });
  }
  const known = new Map(wanted.flatMap((each) => (each.before ? [[each.before.employee_number, each]] : [])));
  const people = [...known.values()].flatMap((each) => each.before ?? []);
  const wantedOf = ({ employee_number }: Employee) => {
    const { company_number: _same, ...changes } = known.get(employee_number)?.values ?? {};
    return changes;
  };
  const changed = await changeAll(ctx, Employees, people, wantedOf);
  const after = new Map(changed.map((each) => [each.employee_number, each]));
  for (const person of people) {
    const hash = known.get(person.employee_number)?.hash;
    const current = after.get(person.employee_number) ?? person;
    if (hash !== undefined) await storeEmployeePassword(ctx, current, hash);
  }
}
