// How Keelson is installed: config/keelson.service, which runs it on servers without containers, and Dockerfile.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import test from 'ava';
import { makeFolder } from '../_folder.ts';

const root = resolve(import.meta.dirname, '../..');
const unit = readFileSync(join(root, 'config/keelson.service'), 'utf8');
const valuesOf = (name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);

test('the service has no privileges and writes only to its own folders', (t) => {
  t.deepEqual(valuesOf('User'), ['keelson']);
  for (const name of ['CapabilityBoundingSet', 'AmbientCapabilities']) t.deepEqual(valuesOf(name), ['']);
  t.deepEqual(valuesOf('ProtectSystem'), ['strict']);
  t.deepEqual([...valuesOf('StateDirectory'), ...valuesOf('CacheDirectory')], ['keelson', 'keelson']);
  t.deepEqual(valuesOf('ReadWritePaths'), []);
  for (const name of ['NoNewPrivileges', 'PrivateDevices', 'PrivateTmp', 'ProtectHome', 'RestrictNamespaces'])
    t.deepEqual(valuesOf(name), ['true'], name);
});

test('the service keeps what Node needs', (t) => {
  t.deepEqual(valuesOf('MemoryDenyWriteExecute'), [], 'JavaScript is compiled at run time');
  t.false(valuesOf('SystemCallFilter').some((each) => each.startsWith('~') && each.includes('@resources')));
  t.true(valuesOf('RestrictAddressFamilies')[0]?.split(' ').includes('AF_NETLINK'), 'os.networkInterfaces()');
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } };
  t.deepEqual(valuesOf('ExecStart'), ['/opt/keelson/keelson start']);
  const options = /--.* /.exec(scripts.start)?.[0] ?? 'none';
  t.true(readFileSync(join(root, 'keelson'), 'utf8').includes(options), 'as npm start');
  t.deepEqual(valuesOf('KillMode'), ['mixed'], 'the main process ends its own children');
});

test('the image installs the packages of every workspace', (t) => {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] };
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const copied = [...dockerfile.matchAll(/^COPY (\S+)\/package\.json \1\/$/gm)].map(([, each]) => each);
  t.deepEqual(copied, workspaces);
  const fonts = globSync(join(root, 'node_modules/@embedpdf/fonts-*/package.json')).map((path) => {
    const { name, version } = JSON.parse(readFileSync(path, 'utf8')) as { name: string; version: string };
    return `${name}@${version}`;
  });
  t.is(fonts.length, 2);
  for (const each of fonts) t.true(dockerfile.includes(each), each);
});

const [, version = '0'] =
  /^systemd (\d+)/.exec(spawnSync('systemd-analyze', ['--version']).stdout?.toString() ?? '') ?? [];

// It can rate a file since version 250.
const onSystemd = Number(version) >= 250 ? test : test.skip;

onSystemd('systemd accepts the service and rates its exposure at 2 or less', (t) => {
  const folder = makeFolder(t);
  const file = join(folder, 'keelson.service');
  writeFileSync(file, unit.replaceAll('/opt/keelson', root));
  const analyze = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, file], { encoding: 'utf8' });
    return { status, said: stdout + stderr };
  };
  t.deepEqual(analyze('verify'), { status: 0, said: '' });
  const { status, said } = analyze('security', '--offline=true', '--threshold=20', '--no-pager');
  t.is(status, 0, said);
});
