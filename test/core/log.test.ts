import test from 'ava';
import { createLogger, requestLog } from '../../packages/log/log.ts';

function memoryLog(level = 'trace') {
  const lines: string[] = [];
  const log = createLogger({ level, destination: { write: (line: string) => void lines.push(line) } });
  const last = (): Record<string, unknown> => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown>;
  return { log, lines, last, all: () => lines.join('') };
}

const CANARY = 'Kanarienvogel42';

test('a line is one JSON object with level, time and message', (t) => {
  const { log, lines, last } = memoryLog();
  log.info({ company_number: 7 }, 'two\r\nlines');
  t.is(lines.length, 1);
  t.is(lines[0]?.split('\n').length, 2);
  t.like(last(), { level: 'info', company_number: 7, msg: 'two\r\nlines' });
  t.regex(String(last()['time']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('fields with secret names are redacted at every depth and in every spelling', (t) => {
  const { log, all } = memoryLog();
  const names = [
    'password',
    'newPassword',
    'password_hash',
    'token',
    'access_token',
    'refreshToken',
    'secret',
    'client_secret',
  ];
  names.push('api_key', 'apiKey', 'X-Api-Key', 'authorization', 'Authorization', 'cookie', 'Set-Cookie', 'private_key');
  names.push('master_key', 'otp', 'passphrase', 'credentials', 'APIKEY', 'webhookSecret', 'signature');
  for (const name of names) {
    log.info({ [name]: CANARY }, 'top');
    log.info({ a: { b: { c: [{ [name]: CANARY }] } } }, 'deep');
    log.info({ headers: { [name]: [CANARY, CANARY] } }, 'list');
    log.info({ [name]: { value: CANARY } }, 'object');
    log.info({ a: { b: { c: { d: { e: { f: { g: { h: { [name]: CANARY } } } } } } } } }, 'too deep');
  }
  t.false(all().includes(CANARY));
});

test('child loggers keep the redaction of their bindings', (t) => {
  const { log, all, last } = memoryLog();
  log
    .child({ request_id: 'r1', token: CANARY, api_key: CANARY })
    .child({ password: CANARY })
    .warn({ cookie: CANARY }, 'child');
  log.child({ token: `"\\${CANARY}` }).info({ body: JSON.stringify({ secret: `"\\${CANARY}` }) }, 'quotes');
  log.child({ request_id: 'r1' }).info('plain');
  t.is(last()['request_id'], 'r1');
  t.false(all().includes(CANARY));
});

test('credentials in texts are redacted, in messages, fields, errors and causes', (t) => {
  const { log, all, lines } = memoryLog();
  const texts = [
    `GET /tickets.php?api_key=${CANARY}&page=2`,
    `POST /login?password=${CANARY}`,
    `Authorization: Bearer ${CANARY}`,
    `Basic ${CANARY}`,
    `connect mysql://root:${CANARY}@db/keelson`,
    `redis://:${CANARY}@cache:6379`,
    `key vsa_${CANARY}`,
    `key pk_live_${CANARY}abc`,
    `jwt eyJhbGciOiJIUzI1NiJ9.${CANARY}.abc`,
    `body {"password":"${CANARY}","a":1}`,
    `Duplicate entry '${CANARY}' for key 'user.email'`,
    `Incorrect integer value: '${CANARY}' for column 'x' at row 1`,
  ];
  for (const text of texts) {
    log.info(text);
    log.info({ text, nested: { list: [text] } }, 'field');
    log.error({ err: new Error(text, { cause: new Error(text) }) }, 'error');
    log.error(new Error(text));
  }
  t.false(
    all().includes(CANARY),
    lines.find((line) => line.includes(CANARY)),
  );
  for (const line of lines) t.notThrows(() => JSON.parse(line) as unknown);
});

test('an error logs its type, message, stack and code, and nothing added by a driver', (t) => {
  const { log, last, all } = memoryLog();
  const error = Object.assign(new TypeError('no answer'), {
    code: 'ECONNREFUSED',
    sql: `INSERT '${CANARY}'`,
    parameters: [CANARY],
    config: { headers: { 'x-whatever': CANARY } },
  });
  log.error({ err: error }, 'failed');
  t.like(last()['err'], { type: 'TypeError', message: 'no answer', code: 'ECONNREFUSED' });
  t.false(all().includes(CANARY));
});

test('a request line contains the route, never the query or the body', (t) => {
  const { log, last } = memoryLog();
  requestLog(log)({
    request_id: 'r1',
    method: 'GET',
    route: 'GET /tickets.php',
    status: 200,
    ms: 12.3456,
    actor: 'api',
  });
  const { time, pid, ...line } = last();
  t.truthy(time);
  t.truthy(pid);
  t.deepEqual(line, {
    level: 'info',
    request_id: 'r1',
    method: 'GET',
    route: 'GET /tickets.php',
    status: 200,
    ms: 12.3,
    actor: 'api',
    msg: 'request',
  });
  requestLog(log)({ request_id: 'r2', method: 'GET', route: 'none', status: 503, ms: 1 });
  t.like(last(), { level: 'warn', status: 503 });
  t.false('actor' in last());
});

test('a circular object does not break the log', (t) => {
  const { log, lines } = memoryLog();
  const loop: Record<string, unknown> = { name: 'loop' };
  loop['self'] = loop;
  t.notThrows(() => log.info({ loop }, 'circular'));
  t.is(lines.length, 1);
});

test('lines below the level are not written', (t) => {
  const { log, lines } = memoryLog('warn');
  log.info('quiet');
  log.warn('loud');
  t.is(lines.length, 1);
});

test('hostile text does not take long to write', (t) => {
  const { log } = memoryLog();
  const before = process.threadCpuUsage();
  for (const part of ['token', '://a:', 'eyJaaaaaaaa-', "entry '", 'Bearer ', '"token', 'a.b-'])
    log.info(part.repeat(20_000));
  const { user, system } = process.threadCpuUsage(before);
  t.true(user + system < 15_000_000);
});
