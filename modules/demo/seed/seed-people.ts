// Companies and people for bulk data, in addition to existing ones.
import { normalised, sql, type Table, type Timestamp } from '@keelson/core';
import type { New } from '@keelson/core/database';
import { name } from '@keelson/core/database';
import type { Database } from '@keelson/core/system';
import { Company, Employee, Site, Technician } from '@keelson/modules/directory';
import { cities, firstNames, lastNames, numbers, pick, places, trades } from './seed-words.ts';

const SITES = 3;
const PEOPLE = 10;

/** Adds companies. Returns their numbers. */
export async function addCompanies(database: Database, n: number, now: Timestamp): Promise<number[]> {
  const next = numbers(1);
  return add(database, Company, n, (number) => {
    const customer = `${pick(next, places)} ${pick(next, trades)} ${number}`;
    const stamps = { created_at: now, updated_at: now };
    return { customer, customer_key: normalised(customer), city: pick(next, cities), ...stamps };
  });
}

/** Adds the sites of companies. Returns them by company. */
export async function addSites(database: Database, companies: readonly number[], now: Timestamp) {
  const next = numbers(2);
  const added = await add(database, Site, companies.length * SITES, (_, i) => {
    const site_name = ['Head office', 'Warehouse', 'Branch'][i % SITES] ?? 'Office';
    const company_number = companies[Math.floor(i / SITES)] ?? 0;
    const about = { site_name, site_key: normalised(site_name), city: pick(next, cities), is_primary: i % SITES === 0 };
    return { company_number, ...about, created_at: now, updated_at: now };
  });
  return byCompany(companies, added, SITES);
}

/** Adds the people of companies: an IT admin first, then a manager, then the rest. No one has a password. */
export async function addEmployees(database: Database, companies: readonly number[], now: Timestamp) {
  const next = numbers(3);
  const added = await add(database, Employee, companies.length * PEOPLE, (number, i) => {
    const company_number = companies[Math.floor(i / PEOPLE)] ?? 0;
    const email = `person${number}@company${company_number}.example`;
    const who = { first_name: pick(next, firstNames), last_name: pick(next, lastNames), email, email_key: email };
    const role = { it_privileges: i % PEOPLE === 0, ismgr: i % PEOPLE === 1 };
    return { company_number, ...who, ...role, created_at: now, updated_at: now };
  });
  return byCompany(companies, added, PEOPLE);
}

/** Adds technicians without a password. Returns their ids. */
export async function addTechnicians(database: Database, n: number, now: Timestamp): Promise<number[]> {
  const next = numbers(4);
  return add(database, Technician, n, (number) => {
    const email = `technician${number}@provider.example`;
    const called = `${pick(next, firstNames)} ${pick(next, lastNames)}`;
    return { name: called, email, email_key: email, created_at: now, updated_at: now };
  });
}

/** Adds `n` rows, each generated from an unused number. Returns their ids in order. */
async function add<T extends Table>(
  database: Database,
  of: T,
  n: number,
  make: (number: number, i: number) => New<T>,
): Promise<number[]> {
  const id = name(of.primary);
  const [last] = await database.query<{ id: number | null }>(sql`SELECT MAX(${id}) AS id FROM ${name(of.name)}`);
  const before = Number(last?.id ?? 0);
  for (let at = 0; at < n; at += 5000) {
    const rows = Array.from({ length: Math.min(5000, n - at) }, (_, i) => make(before + at + i + 1, at + i));
    await database.transaction((tx) => tx.insert(of, rows));
  }
  const added = await database.query<{ id: number }>(
    sql`SELECT ${id} AS id FROM ${name(of.name)} WHERE ${id} > ${before} ORDER BY ${id} LIMIT ${n}`,
  );
  return added.map((row) => Number(row.id));
}

function byCompany(companies: readonly number[], ids: readonly number[], each: number): Map<number, number[]> {
  return new Map(companies.map((company, i) => [company, ids.slice(i * each, (i + 1) * each)]));
}
