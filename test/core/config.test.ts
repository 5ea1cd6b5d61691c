import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { readConfig, settings } from '../../config/config.ts';
import { assertProperty, fc } from '../_random.ts';

const problemsOf = (env: Record<string, string | undefined>): string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return error instanceof Error ? error.message.split('\n') : [];
  }
};

test('without settings the configuration is complete and frozen', (t) => {
  const config = readConfig({});
  t.is(config.port, 3000);
  t.is(config.host, '127.0.0.1');
  t.is(config.baseUrl, 'http://127.0.0.1:3000');
  t.is(config.masterKeyFile, 'data/master.key');
  t.is(config.databaseUrl, undefined);
  t.is(config.operatorTenant, true);
  t.deepEqual(config.egressAllowCidrs, []);
  t.true(Object.isFrozen(config));
  t.true(Object.isFrozen(config.corsOrigins));
});

test('values are typed and trimmed, and empty values count as unset', (t) => {
  const config = readConfig({
    PORT: ' 8080 ',
    HOST: '',
    BASE_URL: 'https://desk.example.com/',
    DATA_DIR: '/data',
    DATABASE_URL: 'mysql://keelson:s3cret@db:3306/keelson',
    OPERATOR_TENANT: 'false',
    TRUST_PROXY: '2',
    EGRESS_ALLOW_CIDRS: '10.1.0.0/16, fd00::/8,',
    CORS_ORIGINS: 'https://app.example.com,http://localhost:5173',
    COOKIE_PREFIX: '__Host-',
    TIME_ZONE: 'Europe/Berlin',
  });
  t.is(config.port, 8080);
  t.is(config.host, '127.0.0.1');
  t.is(config.baseUrl, 'https://desk.example.com');
  t.is(config.masterKeyFile, '/data/master.key');
  t.is(config.operatorTenant, false);
  t.is(config.trustProxy, 2);
  t.deepEqual(config.egressAllowCidrs, ['10.1.0.0/16', 'fd00::/8']);
  t.deepEqual(config.corsOrigins, ['https://app.example.com', 'http://localhost:5173']);
});

test('the default base URL can be opened when listening on all interfaces or IPv6', (t) => {
  t.is(readConfig({ HOST: '0.0.0.0' }).baseUrl, 'http://localhost:3000');
  t.is(readConfig({ HOST: '::1', PORT: '80' }).baseUrl, 'http://[::1]:80');
});

const invalid: Record<string, string[]> = {
  PORT: ['-1', '65536', '80a', '1e3', '3.5', '0x50'],
  HOST: ['a b', 'http://x/'],
  BASE_URL: ['desk.example.com', 'ftp://x', 'https://u:p@x', 'https://x/?a=1', 'https://x/#a'],
  DATABASE_URL: ['postgres://h/d', 'mysql://a,:3306/d', 'mysql://h', 'mysql://h/', 'mysql://u:canary@h/a/b'],
  DATABASE_POOL: ['0', '201'],
  DATABASE_READ_URL: ['postgres://h/d', 'mysql://a,:3306/d', 'mysql://u:canary@h'],
  DATABASE_READ_MAX_LAG_SECONDS: ['0', '601', '1.5'],
  REDIS_URL: ['localhost:6379', 'http://localhost'],
  TENANT_SLUG: ['Acme', 'a_b', '-a', 'a-', 'a'.repeat(41)],
  TENANT_NAME: ['x'.repeat(121)],
  OPERATOR_TENANT: ['yes', '1'],
  TRUST_PROXY: ['true', '-1', '11'],
  EGRESS_ALLOW_CIDRS: ['10.0.0.1', '0.0.0.0/0', '::/0', '10.0.0.0/8 11.0.0.0/8', '300.0.0.0/8'],
  LOG_LEVEL: ['loud', 'INFO'],
  METRICS_TOKEN: ['short', 'with spaces in the middle'],
  ACCESS_TOKEN_SECONDS: ['59', '86401'],
  PASSWORD_MINIMUM: ['7', '65'],
  PASSWORD_COST: ['9', '16'],
  TIME_ZONE: ['Mars/Base', 'Berlin'],
  CORS_ORIGINS: ['*', 'https://a.example.com/', 'a.example.com', 'null'],
  COOKIE_PREFIX: ['x-', '__Host'],
};
for (const [name, values] of Object.entries(invalid)) {
  test(`an invalid ${name} stops start-up with one sentence that names it without its value`, (t) => {
    for (const value of values) {
      const problems = problemsOf({ [name]: value });
      t.is(problems.length, 1, value);
      t.regex(problems[0] ?? '', new RegExp(`^${name} must [^\\n]+\\.$`));
      t.false(problems[0]?.includes('canary'));
    }
  });
}

test('all problems are reported together', (t) => {
  t.deepEqual(problemsOf({ PORT: 'x', DATABSE_URL: 'mysql://a', LOG_LEVEL: 'loud' }), [
    'DATABSE_URL is not a setting; did you mean DATABASE_URL?',
    'PORT must be a whole number from 0 to 65535.',
    'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent.',
  ]);
});

test('a cookie prefix without https stops start-up', (t) => {
  t.deepEqual(problemsOf({ DATABASE_READ_URL: 'mysql://u:canary@db2/keelson' }), [
    'DATABASE_READ_URL requires DATABASE_URL: SQLite has no replicas.',
  ]);
  t.deepEqual(problemsOf({ COOKIE_PREFIX: '__Host-' }), ['COOKIE_PREFIX requires a BASE_URL that starts with https:.']);
});

test('misspelt and KEELSON_ names stop start-up and suggest the right name', (t) => {
  const meant: Record<string, string> = {
    DATABSE_URL: 'DATABASE_URL',
    DATABASE_URI: 'DATABASE_URL',
    DATABASEURL: 'DATABASE_URL',
    database_url: 'DATABASE_URL',
    REIDS_URL: 'REDIS_URL',
    LOG_LEVLE: 'LOG_LEVEL',
    TRUST_PROXYS: 'TRUST_PROXY',
    MASTERKEY_FILE: 'MASTER_KEY_FILE',
    CORS_ORIGIN: 'CORS_ORIGINS',
    KEELSON_PORT: 'PORT',
    KEELSON_DATABSE_URL: 'DATABASE_URL',
  };
  for (const [name, setting] of Object.entries(meant)) {
    const expected = [`${name} is not a setting; did you mean ${setting}?`];
    t.deepEqual(problemsOf({ [name]: 'x' }), expected, name);
  }
  t.deepEqual(problemsOf({ KEELSON_COLOUR: 'blue' }), ['KEELSON_COLOUR is not a setting of Keelson.']);
});

test('any single typo in a long name is detected', async (t) => {
  const names = Object.values(settings)
    .map(({ name }) => name)
    .filter((name) => name.length >= 8);
  const slip = fc.constantFrom(...names).chain((name) =>
    fc.record({
      name: fc.constant(name),
      at: fc.nat(name.length - 1),
      kind: fc.constantFrom('drop', 'double', 'wrong'),
    }),
  );
  await assertProperty(
    t,
    fc.property(slip, ({ name, at, kind }) => {
      const letter = { drop: '', double: name.charAt(at).repeat(2), wrong: '7' }[kind];
      t.is(problemsOf({ [name.slice(0, at) + letter + name.slice(at + 1)]: 'x' }).length, 1);
    }),
  );
});

test('unknown names with our prefixes stop start-up and suggest the right name', (t) => {
  const problem = (name: string) => problemsOf({ [name]: 'x' });
  t.deepEqual(problem('TRUST_PROXIES'), ['TRUST_PROXIES is not a setting; did you mean TRUST_PROXY?']);
  t.deepEqual(problem('S3_SECRET_KEY'), ['S3_SECRET_KEY is not a setting; did you mean S3_SECRET_ACCESS_KEY?']);
  t.deepEqual(problem('S3_BUCKET'), ['S3_BUCKET is not a setting of Keelson.']);
  t.deepEqual(problem('BACKUP_FOLDER'), ['BACKUP_FOLDER is not a setting of Keelson.']);
  t.deepEqual(problem('OAUTH_GOOGLE_SECRET'), [
    'OAUTH_GOOGLE_SECRET is not a setting; did you mean OAUTH_GOOGLE_CLIENT_SECRET?',
  ]);
  t.deepEqual(problemsOf({ SMTP_SERVICE_HOST: '10.0.0.7', SMTP_PORT: 'tcp://10.0.0.7:25' }), []);
});

test('a missing parent folder stops start-up', (t) => {
  const missing = join(tmpdir(), 'keelson-not-mounted');
  for (const name of ['DATA_DIR', 'FILES_DIR', 'BACKUP_DIR', 'MASTER_KEY_FILE'])
    t.deepEqual(problemsOf({ [name]: join(missing, 'here') }), [
      `${name}: the parent folder ${missing} does not exist.`,
    ]);
  t.deepEqual(problemsOf({ DATA_DIR: join(tmpdir(), 'keelson-new') }), []);
});

test('ordinary environments raise no errors', (t) => {
  const foreign = [
    ...[
      'PATH',
      'HOME',
      'HOSTNAME',
      'HOSTTYPE',
      'POST',
      'PORTS',
      'PWD',
      'SHELL',
      'USER',
      'TERM',
      'LANG',
      'TZ',
      'TMPDIR',
    ],
    ...[
      'NODE_ENV',
      'NODE_OPTIONS',
      'NODE_PATH',
      'CI',
      'EDITOR',
      'LOGNAME',
      'MAIL',
      'DISPLAY',
      'XDG_DATA_DIRS',
      'no_proxy',
    ],
    ...[
      'HTTP_PROXY',
      'HTTPS_PROXY',
      'SSH_TTY',
      'INVOCATION_ID',
      'JOURNAL_STREAM',
      'MEMORY_PRESSURE_WATCH',
      'REDIS_PORT',
    ],
    ...['npm_config_user_agent', 'npm_lifecycle_event', 'npm_package_name', 'INIT_CWD', 'COLORTERM', 'DATABASE_PORT'],
    ...[
      'KUBERNETES_SERVICE_HOST',
      'KUBERNETES_PORT',
      'DATABASE_PASSWORD',
      'POSTGRES_URL',
      'TEST_DATABASE_URL',
      'PORT_80',
    ],
    ...['KEELSON_SERVICE_HOST', 'KEELSON_SERVICE_PORT_HTTP', 'KEELSON_PORT_3000_TCP', 'KEELSON_WEB_PORT_3000_TCP_ADDR'],
  ];
  t.deepEqual(problemsOf(Object.fromEntries(foreign.map((name) => [name, 'x']))), []);
  t.deepEqual(problemsOf({ KEELSON_PORT: 'tcp://10.0.0.7:3000' }), []);
  t.deepEqual(problemsOf({ HOST: 'tcsh-puts-its-name.here' }), []);
});

test('the environment of this machine raises no errors', (t) => {
  const names = Object.keys(process.env).filter((name) => !Object.values(settings).some((one) => one.name === name));
  t.deepEqual(problemsOf(Object.fromEntries(names.map((name) => [name, process.env[name]]))), []);
});

test('example.json matches the code', async (t) => {
  const example: unknown = JSON.parse(await readFile(new URL('../../config/example.json', import.meta.url), 'utf8'));
  const expected = Object.values(settings).map(({ name, ...rest }) => [name, rest]);
  t.deepEqual(example, Object.fromEntries(expected));
});

test('keys are the names in camelCase', (t) => {
  for (const [key, { name }] of Object.entries(settings)) {
    t.is(key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(), name);
  }
});
