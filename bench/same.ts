// Verifies before timing that both contenders return the same.
import assert from 'node:assert/strict';

type Row = Readonly<Record<string, unknown>>;

/** Throws when a shared field, the order or the total differs from the floor's. */
export function requireSame(floor: { data: Row[]; total: number }, rows: readonly Row[], total: number): void {
  assert.equal(total, floor.total, 'the totals differ');
  assert.equal(rows.length, floor.data.length, 'the numbers of rows differ');
  for (const [i, row] of rows.entries()) {
    for (const [name, value] of Object.entries(floor.data[i] ?? {})) {
      if (name in row) assert.deepEqual(plain(name, row[name]), plain(name, value), `${name} of row ${i} differs`);
    }
  }
}

/** Truncates timestamps to seconds: the documents show no more, and the driver and SQLite format them differently. */
function plain(name: string, value: unknown): unknown {
  return name.endsWith('_at') && typeof value === 'string' ? value.slice(0, 19).replace(' ', 'T') : value;
}
