// One batch of an import's rows: those that can be stored are, in one transaction; the others are told.
import {
  DuplicateKey,
  normalised,
  Problem,
  tallyNew,
  type Context,
  type RowError,
  type StoredBatch,
} from '@keelson/core';
import {
  companyOf,
  faultOf,
  readKnown,
  type BatchOptions,
  type Known,
  type Row,
  type Wanted,
} from './employee-batch-check.ts';
import type { EmployeeRow } from './employee-fields.ts';
import { Employee } from './entities/employee.ts';
import { newRow, storeChanges, tellApprovers } from './employees.ts';
import { newHash, storeEmployeePassword } from './passwords.ts';

const MOST_TRIES = 3;
/** Hashes at once: a sign-in must still find a free turn. */
const HASHES = 2;

/** Stores rows with names of their own company; opens its own transaction. */
export async function storeEmployees(ctx: Context, rows: readonly Row[], options: BatchOptions): Promise<StoredBatch> {
  const hashes = await hashPasswords(ctx, rows);
  for (let tries = 1; ; tries++) {
    try {
      return await ctx.transaction((inside) => storeNow(inside, rows, hashes, options));
    } catch (error) {
      // Somebody else took one of the addresses meanwhile: seen as taken the next time.
      if (!(error instanceof DuplicateKey) || tries === MOST_TRIES) throw error;
    }
  }
}

async function hashPasswords(ctx: Context, rows: readonly Row[]): Promise<ReadonlyMap<Row, string | Problem>> {
  const waiting = rows.filter((each) => each.values.password !== undefined).values();
  const hashes = new Map<Row, string | Problem>();
  const work = async () => {
    for (const row of waiting) hashes.set(row, await hashOf(ctx, row.values));
  };
  await Promise.all(Array.from({ length: HASHES }, work));
  return hashes;
}

async function hashOf(ctx: Context, { email, password = '' }: EmployeeRow): Promise<string | Problem> {
  try {
    return await newHash(ctx, password, { email });
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

async function storeNow(
  ctx: Context,
  rows: readonly Row[],
  hashes: ReadonlyMap<Row, string | Problem>,
  options: BatchOptions,
): Promise<StoredBatch> {
  const known = await readKnown(ctx, rows, options);
  const wanted = new Map<string, Wanted>();
  const errors: RowError[] = [];
  let created = 0;
  let updated = 0;
  for (const row of rows) {
    const key = normalised(row.values.email);
    const fault = faultOf(row, wanted.get(key), known, hashes.get(row), options);
    if (fault) errors.push({ row: row.row, ...fault });
    else if (add(wanted, key, row, known, hashes.get(row), options) === 'created') created++;
    else updated++;
  }
  await storeWanted(ctx, [...wanted.values()], rows);
  return { created, updated, errors };
}

function add(
  wanted: Map<string, Wanted>,
  key: string,
  { values: { password: _hashed, ...values } }: Row,
  known: Known,
  hash: string | Problem | undefined,
  options: BatchOptions,
): 'created' | 'updated' {
  const company_number = companyOf(values, options) ?? 0;
  const earlier = wanted.get(key);
  const before = earlier?.before ?? known.people.get(key);
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  wanted.set(key, {
    before,
    values: { ...(earlier?.values ?? values), ...given, company_number },
    hash: typeof hash === 'string' ? hash : earlier?.hash,
  });
  return before || earlier ? 'updated' : 'created';
}

async function storeWanted(ctx: Context, wanted: readonly Wanted[], rows: readonly Row[]): Promise<void> {
  const news = wanted.filter((each) => !each.before);
  const inserted = news.map(({ values, hash }) => newRow(ctx, { ...values, password_hash: hash ?? null }));
  await ctx.db.insertMany(Employee, inserted);
  tallyNew(ctx, Employee, inserted);
  if (news.length > 0) {
    ctx.record({
      action: 'create',
      entity_type: 'contact',
      entity_id: 'import',
      description: `${news.length} contacts imported from rows ${rows[0]?.row} to ${rows.at(-1)?.row} of a file`,
    });
  }
  const people = wanted.flatMap((each) => each.before ?? []);
  const after: Employee[] = [];
  for (const { before, values, hash } of wanted) {
    if (!before) continue;
    const { company_number: _same, ...changes } = values;
    const [person = before] = await storeChanges(ctx, [before], changes);
    if (hash !== undefined) await storeEmployeePassword(ctx, person, hash);
    after.push(person);
  }
  tellApprovers(ctx, people, after);
}
