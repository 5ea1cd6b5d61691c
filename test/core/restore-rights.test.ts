// Runs `restore --replace` with the grants from docs/install.md, and with fewer.
import { readFileSync } from 'node:fs';
import test from 'ava';
import type { RowDataPacket } from 'mysql2/promise';
import { holdDatabase } from '../../packages/backup/database/live-database.ts';
import { newId } from '../../packages/kit/random.ts';
import { connectTo } from '../../packages/testing/server-connection.ts';

const server = process.env['TEST_DATABASE_URL'];

(server === undefined ? test.skip : test)('the rights of install.md are enough to restore in place', async (t) => {
  const id = newId().slice(-12);
  const [name, user] = [`keelson_rights_${id}`, `rights_${id}`];
  const url = new URL(name, server);
  const administrator = await connectTo(server ?? '');
  // A new MariaDB may have an anonymous user of 'localhost', which the server prefers to any user of '%'.
  const [[here]] = await administrator.query<RowDataPacket[]>(`SELECT SUBSTRING_INDEX(USER(), '@', -1) AS host`);
  const account = `'${user}'@'${here?.['host']}'`;
  t.teardown(async () => {
    await administrator.query(`DROP DATABASE IF EXISTS ${name}`);
    await administrator.query(`DROP USER IF EXISTS ${account}`);
    await administrator.end();
  });
  await administrator.query(`CREATE DATABASE ${name}`);
  await administrator.query(`CREATE USER ${account} IDENTIFIED BY 'a walk by the sea'`);
  const grants = [...readFileSync('docs/install.md', 'utf8').matchAll(/^GRANT ALL ON `keelson(.*)`\.\* TO/gm)];
  t.is(grants.length, 2);
  const [own, beside] = grants.map(([, rest = '']) => `\`${name.replaceAll('_', '\\_')}${rest}\`.*`);
  const grant = (what: string | undefined) => administrator.query(`GRANT ALL ON ${what} TO ${account}`);
  await grant(own);
  Object.assign(url, { username: user, password: encodeURIComponent('a walk by the sea') });
  await t.throwsAsync(holdDatabase({ url: url.href }), {
    message: /^The database user cannot create databases next to \w+: GRANT ALL ON `\S+`\.\* TO it/,
  });
  await grant(beside);
  const held = await holdDatabase({ url: url.href });
  t.true(held.empty);
  await held.release();
});
