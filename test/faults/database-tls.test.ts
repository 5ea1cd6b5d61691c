// Connections to real MariaDB servers with certificates of various names.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { onServer } from '../../packages/backup/database/past-the-pool.ts';
import { openDatabase } from '../../packages/database/database.ts';
import { sql } from '../../packages/database/statement/sql.ts';
import { certificateOf, trust } from '../_certificate.ts';
import { until } from '../_until.ts';
import { hasMariadb, prepareServers, type DatabaseServer, type DatabaseServers } from './_mariadb.ts';

const serverTest = hasMariadb ? test.serial : test.serial.skip;
const reason = hasMariadb ? '' : ' (skipped: needs mariadbd)';

/** Starts a server with a certificate. */
async function startNamed(
  { folder, start }: DatabaseServers,
  host: string,
  certificate: ReturnType<typeof certificateOf>,
): Promise<DatabaseServer> {
  const [cert, key] = [join(folder, `${host}.cert`), join(folder, `${host}.key`)];
  writeFileSync(cert, certificate.cert);
  writeFileSync(key, certificate.key, { mode: 0o644 });
  return start(host, [`--ssl-cert=${cert}`, `--ssl-key=${key}`]);
}

const urlOf = (address: string) => `mysql://root@${address}/mysql?ssl=true`;

async function open(t: ExecutionContext, address: string) {
  const log = { warn: (): undefined => undefined };
  const database = await openDatabase({ url: urlOf(address), file: '', tables: [], log, pool: 1 });
  t.teardown(() => database.close());
  return database;
}

const version = sql`SHOW STATUS LIKE 'Ssl_version'`;

serverTest(`with ssl=true, the certificate of a database must be trusted and match its name${reason}`, async (t) => {
  const servers = await prepareServers(t);
  const [right, wrong] = [certificateOf('localhost'), certificateOf('db.example')];
  const own = await startNamed(servers, 'localhost', right);
  const other = await startNamed(servers, 'db.example', wrong);
  const backup = (address: string) => onServer(urlOf(address), (ask) => ask(version.text));

  const untrusted = { message: /self-signed certificate/ };
  await t.throwsAsync(open(t, `localhost:${own.port}`), untrusted);
  await t.throwsAsync(backup(`localhost:${own.port}`), untrusted);

  trust(t, right);
  trust(t, wrong);
  const database = await open(t, `localhost:${own.port}`);
  t.like((await database.query(version))[0], { Value: 'TLSv1.3' });
  t.like((await backup(`localhost:${own.port}`))[0], { Value: 'TLSv1.3' });

  const misnamed = { message: /localhost. is not in the cert's altnames: DNS:db\.example/ };
  await t.throwsAsync(open(t, `localhost:${other.port}`), misnamed);
  await t.throwsAsync(backup(`localhost:${other.port}`), misnamed);

  // An IP address is not checked. Each node is checked by its own name, not by that of the first one.
  const either = await open(t, `localhost:${own.port},127.0.0.1:${other.port}`);
  t.is(either.node(), `localhost:${own.port}`);
  await own.kill();
  await until(() => either.node() === `127.0.0.1:${other.port}`);
  t.like((await either.query(version))[0], { Value: 'TLSv1.3' });
});
