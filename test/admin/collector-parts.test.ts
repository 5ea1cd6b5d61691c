// How the collector parses data from the server and from scanned hosts.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import test from 'ava';
import { readAllowed, scannable } from '../../modules/discovery/collector/networks.ts';
import { readNmap } from '../../modules/discovery/collector/nmap.ts';
import { perform } from '../../modules/discovery/collector/perform.ts';
import { root } from '../_source.ts';

test('networks are compared numerically, and only allowed ones are scanned', (t) => {
  const own = readAllowed([]);
  t.is(scannable('192.168.1.77/24', own).text, '192.168.1.0/24');
  t.is(scannable('fd00::1:0/112', own).text, 'fd00:0:0:0:0:0:1:0/112');
  for (const each of ['8.8.8.0/24', '172.32.0.0/24', '2001:db8::/112', '::ffff:8.8.8.8/128'])
    t.throws(() => scannable(each, own), { message: /may not be scanned from here/ }, each);
  for (const each of ['10.0.0.0/8', 'fd00::/64']) t.throws(() => scannable(each, own), { message: /larger than/ });
  for (const each of [
    '',
    '-oX/24',
    '010.0.0.0/24',
    '10.0.0/24',
    '10.0.0.0',
    '10.0.0.0/33',
    'abc/24',
    '10.0.0.0/24 -oN x',
  ])
    t.throws(() => scannable(each, own), { message: /is not a network/ }, each);
  const named = readAllowed(['198.51.100.0/24']);
  t.is(scannable('198.51.100.128/25', named).bits, 25);
  t.throws(() => scannable('10.0.0.0/24', named));
});

test('unknown commands and disallowed networks are rejected', async (t) => {
  const settings = { dir: 'unused', scanner: 'builtin', allowed: readAllowed([]) };
  const outcome = async (command_type: string, parameters = {}) => {
    const { messages, stop } = await perform({ command_id: 1, command_type, parameters } as never, settings);
    return [stop, messages.map(({ body }) => body)];
  };
  t.deepEqual(await outcome('shell', { subnet: '10.0.0.0/30' }), [
    false,
    [{ status: 'failed', error: 'shell is not a supported command' }],
  ]);
  const [, [refused]] = (await outcome('scan', { subnet: '8.8.8.8/32' })) as [boolean, [{ error: string }]];
  t.regex(refused.error, /^8\.8\.8\.8\/32 may not be scanned from here/);
});

test('nmap XML: hosts without a name, DNS names before user-given names, entities', (t) => {
  const host = (rest: string) =>
    `<host><status state="up"/><address addr="192.168.1.2" addrtype="ipv4"/>${rest}</host>`;
  const names = (...each: string[]) => `<hostnames>\n${each.join('\n')}</hostnames>`;
  const user = '<hostname name="typed.example" type="user"/>';
  const ptr = '<hostname name="nas&#45;1.example" type="PTR"/>';
  const mac = '<address addr="00:11:32:AA:BB:CC" addrtype="mac" vendor="A &amp; B&#x2019;s"/>';
  const invalid = ['7', 'xD800', 'x110000'].map((each) => `&#${each};`).join('');
  const odd = `<address addr="00:11:32:AA:BB:CC" addrtype="mac" vendor="A${invalid}&#x10FFFF;"/>`;
  const hint = '<hosthint><status state="up"/><address addr="192.168.1.9" addrtype="ipv4"/></hosthint>';
  const read = readNmap(
    `<nmaprun>${hint}${host(names())}${host(names(user, ptr) + mac)}${host(names(user) + odd)}</nmaprun>`,
  );
  t.deepEqual(
    read.map(({ hostname, manufacturer }) => [hostname, manufacturer]),
    [
      [undefined, undefined],
      ['nas-1.example', 'A & B’s'],
      ['typed.example', 'A\ufffd\ufffd\ufffd\u{10ffff}'],
    ],
  );
});

test('malformed XML from a host is parsed in linear time', (t) => {
  const spoilt = ['<host ', '<host><', '<host>', '<host><address addr="', '<host><port protocol="tcp" portid="1">'];
  const took = spoilt.map((each) => {
    const began = process.threadCpuUsage();
    readNmap(each.repeat(480_000 / each.length));
    readNmap(`<host>${each.repeat(480_000 / each.length)}</host>`);
    return process.threadCpuUsage(began).user / 1e6;
  });
  t.log(took.map((each) => each.toFixed(2)).join(' '));
  // Regression: this used to take 21 seconds.
  for (const each of took) t.true(each < 5, `${each} s`);
});

const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  new Promise<{ code: number | null; text: string }>((resolve) => {
    const program = join(root, 'modules/discovery/collector/main.ts');
    const child = execFile(
      process.execPath,
      [program, '--once', ...args],
      { env: { ...process.env, ...env } },
      (_, out, err) => resolve({ code: child.exitCode, text: out + err }),
    );
  });

test('the token is sent only over https and cannot be passed as an argument', async (t) => {
  const token = { KEELSON_COLLECTOR_TOKEN: 'col_x' };
  const plain = await run(['--url', 'http://keelson.example'], token);
  t.like(plain, { code: 2 });
  t.regex(plain.text, /is not https; use --insecure/);
  const named = await run(['--url', 'https://ann:secret@keelson.example'], token);
  t.like(named, { code: 2, text: '--url must not contain a user or a password\n' });
  const argument = await run(['--url', 'https://keelson.example', '--token', 'col_secret']);
  t.is(argument.code, 2);
  t.false(argument.text.includes('col_secret'));
  t.regex(argument.text, /--token-file/);
  const missing = await run(['--url', 'https://keelson.example', '--token-file', '/nowhere']);
  t.is(missing.code, 2);
  t.regex((await run(['--url', 'https://keelson.example', '--allow', 'all'], token)).text, /is not a network/);
});
