// Fills the databases of the products named: node bench/compare/fill.ts --folder <folder> --port <port> keelson itflow …
// Keelson comes first: the others get copies of its rows.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { keelsonEnv, prepareKeelson } from './keelson.ts';
import { readSetting } from './setting.ts';

const { setting, names } = readSetting(process.argv.slice(2));
for (const name of names) {
  const uri = `mysql://root@127.0.0.1:${setting.databasePort}/${name}`;
  if (name === 'keelson') {
    const server = await createConnection({ uri: uri.replace(/keelson$/, '') });
    await server.query('CREATE DATABASE IF NOT EXISTS keelson CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci');
    await server.end();
    prepareKeelson(setting);
  }
  const connection = await createConnection({ uri, multipleStatements: true });
  await connection.query(readFileSync(join(import.meta.dirname, `${name}.sql`), 'utf8'));
  await connection.end();
  if (name === 'keelson') {
    const env = { PATH: process.env['PATH'], ...keelsonEnv(setting), LOG_LEVEL: 'error' };
    execFileSync(process.execPath, ['cli.js', 'reindex'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  process.stdout.write(`${name} is filled\n`);
}
