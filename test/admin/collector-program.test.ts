// Runs the collector program against real hosts in network namespaces.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as ask } from 'node:http';
import { join } from 'node:path';
import { plus } from '@keelson/core';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { readNmap } from '../../modules/discovery/collector/nmap.ts';
import { addressesOf } from '../../modules/discovery/collector/tcp-scan.ts';
import { vendorOf } from '../../modules/discovery/collector/vendors.ts';
import { CollectorCommand } from '../../modules/discovery/entities.ts';
import { makeFolder } from '../_folder.ts';
import { root } from '../_source.ts';
import { until } from '../_until.ts';
import { seedCollector, seedPlace } from '../collector-seed.ts';
import { asKey } from '../tickets-seed.ts';

const subnet = '10.100.1.0/28';
/** The namespace of the collector. All interfaces are in namespaces, because browsers stop loading when one appears. */
const here = `keelson-${process.pid}-1`;
const hosts = [2, 3].map((n) => ({
  n,
  ns: `keelson-${process.pid}-${n}`,
  mac: `52:54:00:00:00:0${n}`,
  ip: `10.100.1.${n}`,
}));
const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'pipe' });

/** Creates the collector's and two hosts on a bridge; the last one has no open port. @throws where namespaces are not allowed */
function makeHosts(t: { teardown: (work: () => void) => void }): void {
  const attempt = (...args: string[]) => {
    try {
      ip(...args);
    } catch {
      // It does not exist.
    }
  };
  t.teardown(() => {
    for (const ns of [here, ...hosts.map((each) => each.ns)]) attempt('netns', 'del', ns);
  });
  ip('netns', 'add', here);
  ip('-n', here, 'link', 'set', 'lo', 'up');
  ip('-n', here, 'link', 'add', 'bridge', 'type', 'bridge');
  ip('-n', here, 'addr', 'add', '10.100.1.1/28', 'dev', 'bridge');
  ip('-n', here, 'link', 'set', 'bridge', 'up');
  for (const { n, ns, mac, ip: address } of hosts) {
    const out = `to-${n}`;
    ip('netns', 'add', ns);
    ip('-n', here, 'link', 'add', out, 'type', 'veth', 'peer', 'name', 'eth0', 'address', mac, 'netns', ns);
    ip('-n', here, 'link', 'set', out, 'master', 'bridge', 'up');
    ip('-n', ns, 'addr', 'add', `${address}/28`, 'dev', 'eth0');
    ip('-n', ns, 'link', 'set', 'eth0', 'up');
  }
  const [first] = hosts;
  const listen = "require('node:http').createServer().listen(80, () => console.log('up'))";
  const server = spawn('ip', ['netns', 'exec', first?.ns ?? '', process.execPath, '-e', listen]);
  t.teardown(() => void server.kill());
}

/** Makes what listens on a local socket reachable in the collector's namespace; returns its URL there. */
async function reach(t: { teardown: (work: () => void) => void }, socket: string): Promise<string> {
  const pass = `require('node:net').createServer((near) => {
    const far = require('node:net').connect(${JSON.stringify(socket)});
    near.pipe(far).pipe(near);
    for (const each of [near, far]) each.on('error', () => [near, far].forEach((end) => end.destroy()));
  }).listen(8080, '127.0.0.1', () => console.log('up'))`;
  const forwarder = spawn('ip', ['netns', 'exec', here, process.execPath, '-e', pass]);
  t.teardown(() => void forwarder.kill());
  await once(forwarder.stdout, 'data');
  return 'http://127.0.0.1:8080';
}

test('the collector runs scans, queues results it cannot send, and sends them later', async (t) => {
  try {
    makeHosts(t);
  } catch (error) {
    t.log(`skipped: no network namespaces here (${String(error).split('\n')[0]})`);
    return t.pass();
  }
  const app = await startApp(t);
  const send = await asKey(app, ['networks:read', 'networks:write']);
  const place = await seedPlace(app);
  const { token } = await seedCollector(app, place);
  const dir = makeFolder(t);

  // Keelson accepts reads, but no reports.
  let reachable = false;
  const proxy = createServer((incoming, outgoing) => {
    if (incoming.method === 'POST' && !reachable) return void incoming.socket.destroy();
    const { method = '', url = '', headers } = incoming;
    incoming.pipe(
      ask(app.url + url, { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      }),
    );
  });
  const socket = join(dir, 'keelson.sock');
  await new Promise<void>((resolve) => void proxy.listen(socket, resolve));
  t.teardown(() => void proxy.close());
  const url = await reach(t, socket);
  const program = join(root, 'modules/discovery/collector/main.ts');
  const collect = (...more: string[]) =>
    new Promise<{ code: number; text: string }>((resolve) => {
      const args = [program, '--url', url, '--dir', dir, '--once', ...more];
      const env = { ...process.env, KEELSON_COLLECTOR_TOKEN: token };
      const child = execFile('ip', ['netns', 'exec', here, process.execPath, ...args], { env }, (_error, out, err) =>
        resolve({ code: child.exitCode ?? -1, text: out + err }),
      );
    });
  const scan = async () => (await send('POST', '/discovery/scan.php', { ...place, subnet })).body.data.job_id as number;
  const read = async (job_id: number) => {
    const rows: Row[] = (await send('GET', `/discovery/results.php?job_id=${job_id}&per_page=100`)).body.data;
    return rows
      .filter(({ mac_address }) => hosts.some(({ mac }) => mac === mac_address))
      .map(({ ip_address, mac_address, vendor, open_ports }) => ({ ip_address, mac_address, vendor, open_ports }))
      .toSorted((a, b) => a.ip_address.localeCompare(b.ip_address));
  };
  const job = await scan();
  const first = await collect('--scanner', 'builtin');
  t.is(first.code, 1, first.text);
  const waiting = readdirSync(join(dir, 'queue'));
  t.is(waiting.length, 2);
  for (const each of waiting) t.false(readFileSync(join(dir, 'queue', each), 'utf8').includes(token));
  t.deepEqual(await read(job), []);
  reachable = true;
  const second = await collect();
  t.is(second.code, 0, second.text);
  t.deepEqual(readdirSync(join(dir, 'queue')), []);
  t.false((first.text + second.text).includes(token.slice(4)));
  const [one, two] = hosts;
  const expected = [
    { ip_address: one?.ip, mac_address: one?.mac, vendor: 'QEMU', open_ports: [80] },
    { ip_address: two?.ip, mac_address: two?.mac, vendor: 'QEMU', open_ports: [] },
  ];
  t.deepEqual(await read(job), expected);
  t.like((await send('GET', `/discovery/queue.php?id=${job}`)).body.data, { status: 'completed' });

  // With nmap, the same hosts are found as the same devices.
  try {
    execFileSync('nmap', ['--version'], { stdio: 'pipe' });
  } catch {
    return t.log('nmap is not installed: only the built-in scan was tried');
  }
  const again = await scan();
  t.is((await collect('--scanner', 'nmap')).code, 0);
  t.deepEqual(
    (await read(again)).map(({ mac_address, open_ports }) => [mac_address, open_ports]),
    expected.map(({ mac_address, open_ports }) => [mac_address, open_ports]),
  );
});

interface Row {
  readonly ip_address: string;
  readonly mac_address: string;
  readonly vendor: string;
  readonly open_ports: readonly number[];
}

test('a collector stays in contact while a scan takes longer than its lease', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['networks:read', 'networks:write']);
  const place = await seedPlace(app);
  const { token, poll } = await seedCollector(app, place);
  await poll();
  const scan = await send('POST', '/discovery/scan.php', { ...place, subnet: '192.168.7.0/28' });
  const { job_id } = scan.body.data;
  const dir = makeFolder(t);
  const answer = '<host><status state="up"/><address addr="192.168.7.9" addrtype="ipv4"/></host>';
  const nmap = `#!/bin/sh\nuntil [ -e ${dir}/done ]; do sleep 0.1; done\necho '${answer}'\n`;
  writeFileSync(join(dir, 'nmap'), nmap, { mode: 0o755 });
  const program = join(root, 'modules/discovery/collector/main.ts');
  const args = [program, '--url', app.url, '--dir', dir, '--once', '--interval', '1', '--scanner', 'nmap'];
  const env = { ...process.env, PATH: `${dir}:${process.env['PATH']}`, KEELSON_COLLECTOR_TOKEN: token };
  const child = spawn(process.execPath, args, { env });
  t.teardown(() => void child.kill());
  const ended = once(child, 'exit');
  const sentAt = async () => (await app.app.database.findOneBy(CollectorCommand, { job_id }))?.sent_at ?? null;
  await until(async () => (await sentAt()) !== null);
  for (let round = 0; round < 4; round++) {
    const now = plus(app.clock.now(), { minutes: 9 });
    app.clock.set(now);
    await until(async () => (await sentAt()) === now);
    await app.app.scheduler.runNow('discovery.watch');
  }
  writeFileSync(join(dir, 'done'), '');
  t.deepEqual(await ended, [0, null]);
  t.like((await send('GET', `/discovery/queue.php?id=${job_id}`)).body.data, { status: 'completed', devices_found: 1 });
});

test('the parts of the collector program', (t) => {
  t.deepEqual(addressesOf('192.0.2.9/30'), ['192.0.2.9', '192.0.2.10']);
  t.deepEqual(addressesOf('192.0.2.9/32'), ['192.0.2.9']);
  t.is(addressesOf('10.1.0.0/16').length, 65_534);
  t.throws(() => addressesOf('10.0.0.0/8'), { message: /\/16 or smaller/ });
  t.is(vendorOf('52:54:00:12:34:56'), 'QEMU');
  t.is(vendorOf('02:00:00:00:00:00'), undefined);
  const host = (state: string, rest: string) =>
    `<host starttime="1"><status state="${state}" reason="x"/><address addr="192.0.2.1" addrtype="ipv4"/>${rest}</host>`;
  const mac = '<address addr="00:11:32:AA:BB:CC" addrtype="mac" vendor="A &amp; B"/>';
  const ports = '<ports><port protocol="tcp" portid="22"><state state="open" reason="x"/></port></ports>';
  const name = '<hostnames><hostname name="nas.example" type="PTR"/></hostnames>';
  t.deepEqual(readNmap(`<nmaprun>${host('up', mac + name + ports)}${host('down', '')}</nmaprun>`), [
    {
      ip_address: '192.0.2.1',
      mac_address: '00:11:32:aa:bb:cc',
      hostname: 'nas.example',
      manufacturer: 'A & B',
      open_ports: [22],
    },
  ]);
});
