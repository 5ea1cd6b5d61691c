// Rows that are the most work to read: many, with the longest texts there may be.
import { DuplicateKey, type Table } from '@keelson/core';
import type { TestApp } from '@keelson/core/testing';
import { namedIndices } from '../../core/database/schema.ts';

/** Adds copies of a record of every kind there is, with texts as long as they may be. Answers how many were added. */
export async function addWorstRows(app: TestApp, copies: number): Promise<number> {
  const { database } = app.app;
  let rows = 0;
  for (const table of database.tables) {
    const [row] = await database.find(table, {}, { limit: 1 });
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

/** What runs by itself, and what would fall ill of a long text: it is none that people write. */
const KEPT = new Set(['delivery', 'event', 'api_key', 'migration', 'scheduled_job', 'second_factor', 'email_template']);

/** Where people write at length; what is looked for stands at its end. */
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
