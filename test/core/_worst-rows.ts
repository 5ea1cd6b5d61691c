// Adds the rows that are slowest to read: many, with the longest allowed texts.
import { DuplicateKey, type Table } from '@keelson/core';
import type { TestApp } from '@keelson/testing';
import { namedIndices } from '../../packages/database/schema/schema.ts';

/** Copies a record of every table, with texts of maximum length. Returns the number of rows added. */
export async function addWorstRows(app: TestApp, copies: number): Promise<number> {
  const { database } = app.app;
  let rows = 0;
  for (const table of database.tables) {
    const [row] = await database.find(table, { take: 1 });
    const key = table.columns[table.primary]?.options.kind;
    if (!row || key !== 'id' || KEPT.has(table.name)) continue;
    for (let i = 0; i < copies; i++) {
      try {
        await database.insert(table, copyOf(table, row, i) as never);
        rows++;
      } catch (error) {
        if (!(error instanceof DuplicateKey)) throw error;
        break;
      }
    }
  }
  return rows;
}

/**
 * Tables to leave unchanged: background jobs read them, or long texts would break them. People do not write these
 * texts.
 */
const KEPT = new Set(['delivery', 'event', 'api_key', 'migration', 'scheduled_job', 'second_factor', 'email_template']);

/** Fills long text columns; the search words are at the end. */
const LONG = `${'é'.repeat(65_000)} ${'é'.repeat(39)}a ${'é'.repeat(39)}f`;

function copyOf(table: Table, row: Readonly<Record<string, unknown>>, i: number): Record<string, unknown> {
  const unique = new Set(namedIndices(table).flatMap((each) => (each.unique ? each.columns : [])));
  const copy: Record<string, unknown> = {};
  for (const [name, { options }] of Object.entries(table.columns)) {
    const { kind, nullable, length = 255 } = options;
    if (kind === 'id') continue;
    if (!unique.has(name)) copy[name] = kind === 'text' && typeof row[name] === 'string' ? LONG : row[name];
    else if (nullable) copy[name] = null;
    else if (kind === 'int' && !options.references) copy[name] = 1_000_000 + i;
    else if (kind === 'key' || kind === 'varchar')
      copy[name] = `${String(row[name]).slice(0, Math.max(0, length - 8))}${i}`;
    else copy[name] = row[name];
  }
  return copy;
}
