// Valid contents of TENANTS_FILE, and the mapping of hosts to tenants.
import type { IncomingMessage } from 'node:http';
import test from 'ava';
import { readTenancy } from '../../config/tenants.ts';
import { hostOf } from '../../core/process/hosts.ts';

const acme = { TENANT_SLUG: 'acme', BASE_URL: 'https://desk.acme.example' };
const beta = { TENANT_SLUG: 'beta', BASE_URL: 'https://desk.beta.example' };
const FILE = { TENANTS_FILE: 'tenants.json' };

const read = (entries: unknown, env: Record<string, string> = {}) =>
  readTenancy({ ...FILE, ...env }, () => (typeof entries === 'string' ? entries : JSON.stringify(entries)));

const problemsOf = (entries: unknown, env: Record<string, string> = {}): string[] => {
  try {
    read(entries, env);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
};

test('without TENANTS_FILE there is one tenant for any host', (t) => {
  const { config, tenants } = readTenancy({ TENANT_SLUG: 'acme' });
  t.deepEqual(tenants, [{ config, hosts: [] }]);
  t.true(config.operatorTenant);
});

test('each tenant has its hosts and settings, and inherits the rest from the environment', (t) => {
  const entries = [
    { ...acme, hosts: ['Help.Acme.example'], OPERATOR_TENANT: true, TIME_ZONE: 'Europe/Berlin', DATABASE_POOL: 3 },
    { ...beta, DATABASE_URL: 'mysql://u:p@db/beta', DATA_DIR: '/srv/beta' },
  ];
  const { config, tenants } = read(entries, { DATA_DIR: '/srv/keelson', PASSWORD_MINIMUM: '14', PORT: '8080' });
  t.is(config.port, 8080);
  t.deepEqual(
    tenants.map(({ hosts }) => hosts),
    [['desk.acme.example', 'help.acme.example'], ['desk.beta.example']],
  );
  const [first, second] = tenants.map((each) => each.config);
  t.like(first, {
    tenantSlug: 'acme',
    baseUrl: 'https://desk.acme.example',
    operatorTenant: true,
    timeZone: 'Europe/Berlin',
    databasePool: 3,
    passwordMinimum: 14,
    port: 8080,
    dataDir: '/srv/keelson/acme',
    masterKeyFile: '/srv/keelson/acme/master.key',
    databaseUrl: undefined,
    tenantsFile: undefined,
  });
  t.like(second, {
    tenantSlug: 'beta',
    operatorTenant: false,
    timeZone: undefined,
    databaseUrl: 'mysql://u:p@db/beta',
    dataDir: '/srv/beta',
    masterKeyFile: '/srv/beta/master.key',
  });
});

test('sharing what tenants must not share stops start-up with a sentence', (t) => {
  const clash = (...entries: object[]) => problemsOf(entries);
  t.deepEqual(clash(acme, { ...beta, TENANT_SLUG: 'acme', DATA_DIR: '/elsewhere' }), [
    'TENANTS_FILE: acme and acme have the same TENANT_SLUG.',
  ]);
  t.deepEqual(clash(acme, { ...beta, hosts: ['DESK.acme.example'] }), [
    'TENANTS_FILE: acme and beta have the same host.',
  ]);
  t.deepEqual(clash(acme, { ...beta, DATA_DIR: 'data/acme/' }), [
    'TENANTS_FILE: acme and beta have the same DATA_DIR.',
    'TENANTS_FILE: acme and beta have the same FILES_DIR.',
    'TENANTS_FILE: acme and beta have the same MASTER_KEY_FILE.',
  ]);
  const on = (entry: object, DATABASE_URL: string) => ({ ...entry, DATABASE_URL });
  t.deepEqual(clash(on(acme, 'mysql://a:x@db:3306/one'), on(beta, 'mariadb://b:y@db/one')), [
    'TENANTS_FILE: acme and beta have the same database.',
  ]);
  const replica = { ...on(acme, 'mysql://a:x@db/one'), DATABASE_READ_URL: 'mysql://r:z@db2,db3/two' };
  t.deepEqual(clash(replica, on(beta, 'mysql://b:y@db3/two')), ['TENANTS_FILE: acme and beta have the same database.']);
  t.deepEqual(clash({ ...acme, OPERATOR_TENANT: true }, { ...beta, OPERATOR_TENANT: 'true' }), [
    'TENANTS_FILE: only one tenant can be the OPERATOR_TENANT.',
  ]);
});

test('every fault of the file is named, without repeating values', (t) => {
  t.deepEqual(problemsOf([{ TENANT_SLUG: 'acme' }, { BASE_URL: 'https://b.example' }]), [
    'TENANTS_FILE, tenant acme: BASE_URL is missing.',
    'TENANTS_FILE, tenant 2: TENANT_SLUG is missing.',
  ]);
  t.deepEqual(problemsOf([{ ...acme, PORT: 80, TENANT_SULG: 'x', TIME_ZONE: 'canary' }]), [
    'TENANTS_FILE, tenant acme: PORT applies to the whole process: set it in the environment.',
    'TENANTS_FILE, tenant acme: TENANT_SULG is not a setting of Keelson.',
  ]);
  t.deepEqual(problemsOf([{ ...acme, TIME_ZONE: 'canary' }]), [
    'TENANTS_FILE, tenant acme: TIME_ZONE must be a time zone such as Europe/Berlin.',
  ]);
  t.deepEqual(problemsOf([acme], { DATABASE_URL: 'mysql://u:canary@h/d', TENANT_SLUG: 'x' }), [
    'DATABASE_URL is set for each tenant in TENANTS_FILE, not in the environment.',
    'TENANT_SLUG is set for each tenant in TENANTS_FILE, not in the environment.',
  ]);
  t.deepEqual(problemsOf('[{"DATABASE_URL": canary'), ['TENANTS_FILE tenants.json is not JSON.']);
  t.deepEqual(problemsOf([]), ['TENANTS_FILE must list at least one tenant.']);
  t.deepEqual(problemsOf([{ ...acme, hosts: ['a.example:80'] }]), [
    'TENANTS_FILE 0.hosts.0 must be host names without ports.',
  ]);
  t.deepEqual(problemsOf([{ ...acme, CORS_ORIGINS: ['x'] }]), [
    'TENANTS_FILE 0.CORS_ORIGINS must be a string, number or boolean.',
  ]);
  t.throws(() => readTenancy({ TENANTS_FILE: '/nowhere/tenants.json' }), {
    message: 'TENANTS_FILE /nowhere/tenants.json cannot be read (ENOENT).',
  });
});

test('a host is matched in every equivalent spelling and in no other', (t) => {
  const host = (name: string, url = '/x') =>
    hostOf({ url, headers: { host: name }, headersDistinct: { host: [name] } } as unknown as IncomingMessage);
  for (const name of [
    'desk.acme.example',
    'DESK.Acme.Example',
    'desk.acme.example:443',
    'desk.acme.example.',
    'desk.acme.example.:8443',
  ])
    t.is(host(name), 'desk.acme.example', name);
  t.is(host('[::1]:3000'), '[::1]');
  for (const name of [
    '',
    ' ',
    'a@desk.acme.example',
    'desk.acme.example/',
    'desk.acme.example,other.example',
    'desk.acme.example other.example',
    'desk.acme.example:80:90',
    'desk.acme.example:',
    'https://desk.acme.example',
    'desk.acme.example#x',
    'desk.acme.example%00',
    'dеsk.acme.example',
    'desk.acme.example:123456',
  ])
    t.is(host(name), undefined, name);
  t.not(host('desk.acme.example..'), 'desk.acme.example');
  t.is(host('desk.acme.example', 'http://desk.beta.example/x'), undefined);
  t.is(
    hostOf({ url: '/', headers: { host: 'a' }, headersDistinct: { host: ['a', 'b'] } } as unknown as IncomingMessage),
    undefined,
  );
});
