// Baseline for imports: the database's own bulk load of the same file, into a table with the same indexes and as many
// rows as the product's.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { createConnection } from 'mysql2/promise';
import type { Database } from './filled.ts';
import { cpuSeconds } from './node-process.ts';

export const ROWS = 50_000;
export const COLUMNS = 'first_name,last_name,email,phone,mobile,title,department,status,asset_edit';

interface Loaded {
  readonly seconds: number;
  /** CPU seconds of the database server. */
  readonly cpu: number;
}

/** Measures the database's own bulk load of the same file into the same table. */
export async function loadBare({ floor, pid }: Database, folder: string, file: string): Promise<Loaded> {
  const [kind, target] = floor;
  if (kind === 'mysql') return loadMysql(target, file, () => (pid === undefined ? 0 : cpuSeconds(pid)));
  return { seconds: loadSqlite(target, join(folder, 'import-floor.db'), file), cpu: 0 };
}

async function loadMysql(uri: string, file: string, used: () => number): Promise<Loaded> {
  const connection = await createConnection({ uri, infileStreamFactory: () => Readable.from(readFileSync(file)) });
  try {
    await connection.query('DROP TABLE IF EXISTS import_floor');
    await connection.query('CREATE TABLE import_floor LIKE employee');
    // Larger indexes cost more, and the product's table holds the rows of earlier rounds.
    await connection.query('INSERT INTO import_floor SELECT * FROM employee');
    const before = used();
    const started = performance.now();
    await connection.query(`LOAD DATA LOCAL INFILE 'import.csv' INTO TABLE import_floor FIELDS TERMINATED BY ','
      LINES TERMINATED BY '\\n' IGNORE 1 LINES (${COLUMNS})
      SET company_number = 1, email_key = LOWER(email), created_at = NOW(3), updated_at = NOW(3)`);
    const loaded = { seconds: (performance.now() - started) / 1000, cpu: used() - before };
    const [rows] = await connection.query(
      'SELECT (SELECT COUNT(*) FROM import_floor) - (SELECT COUNT(*) FROM employee) AS n',
    );
    if (JSON.stringify(rows) !== JSON.stringify([{ n: ROWS }]))
      throw new Error(`The floor has different rows: ${JSON.stringify(rows)}`);
    await connection.query('DROP TABLE import_floor');
    return loaded;
  } finally {
    await connection.end();
  }
}

function loadSqlite(from: string, to: string, file: string): number {
  const product = new DatabaseSync(from, { readOnly: true });
  const schema = product
    .prepare("SELECT sql FROM sqlite_master WHERE tbl_name = 'employee' AND sql IS NOT NULL ORDER BY type DESC")
    .all();
  product.close();
  const floor = new DatabaseSync(to, { enableForeignKeyConstraints: false });
  try {
    floor.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; DROP TABLE IF EXISTS employee');
    for (const { sql } of schema) floor.exec(String(sql));
    floor.prepare('ATTACH ? AS product').run(from);
    floor.exec('INSERT INTO main.employee SELECT * FROM product.employee; DETACH product');
    const columns = `company_number, ${COLUMNS}, email_key, created_at, updated_at`;
    const group = `(${columns.replaceAll(/\w+/g, '?')})`;
    const insert = floor.prepare(`INSERT INTO employee (${columns}) VALUES ${Array(1000).fill(group).join(', ')}`);
    const now = '2026-01-01 00:00:00.000';
    const started = performance.now();
    const rows = readFileSync(file, 'utf8').trim().split('\n').slice(1);
    for (let at = 0; at < rows.length; at += 1000) {
      const some = rows.slice(at, at + 1000).map((row) => row.split(','));
      insert.run(...some.flatMap((cells) => [1, ...cells, cells[2] ?? '', now, now]));
    }
    return (performance.now() - started) / 1000;
  } finally {
    floor.close();
  }
}
