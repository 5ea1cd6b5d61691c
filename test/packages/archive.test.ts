// The archive, unpacked and run on a minimal Debian without Node or npm. Part of `npm run test:image`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, globSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import anyTest from 'ava';
import { makeFolder } from '../_folder.ts';
import { until } from '../_until.ts';
import { freePort, isReady } from '../faults/_node.ts';
import { makeDebian, said } from './_container.ts';
import { firstDay, nextDay } from './_first-day.ts';

const test = anyTest.serial;
const root = resolve(import.meta.dirname, '../..');

test('the archive runs on a Debian without Node, keeps its data, and its user can change nothing else', async (t) => {
  t.timeout(900_000);
  const folder = makeFolder(t);
  await said('npm', 'run', '--silent', '--prefix', root, 'archive', '--', folder);
  await said('sh', '-c', `cd ${folder} && sha256sum --check *.sha256`);
  const [file = ''] = globSync(join(folder, '*.tar.gz'));
  t.log(`${Math.round(Number((await said('stat', '--format=%s', file)).trim()) / 1e6)} MB`);

  const debian = join(folder, 'debian');
  await makeDebian(debian);
  await said('tar', '--extract', '--file', file, '--directory', join(debian, 'opt'));
  const [unpacked = ''] = globSync('keelson-*', { cwd: join(debian, 'opt') });
  symlinkSync(unpacked, join(debian, 'opt/keelson'));
  symlinkSync('/opt/keelson/keelson', join(debian, 'usr/local/bin/keelson'));
  const data = join(debian, 'var/lib/keelson');
  mkdirSync(data);
  chownSync(data, 1000, 1000);
  // Names of this machine; its network is used as well.
  cpSync('/etc/hosts', join(debian, 'etc/hosts'));

  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/usr/sbin:/bin',
    PORT: String(port),
    BASE_URL: url,
    DATA_DIR: '/var/lib/keelson',
  };
  // The system is read-only but for the data and /tmp, as systemd makes it.
  const enter = `mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && mount --bind "$0/var/lib/keelson" "$0/var/lib/keelson" &&
    mount -o remount,bind,rw "$0/var/lib/keelson" &&
    mount -t tmpfs tmpfs "$0/tmp" && mount -t proc proc "$0/proc" && exec chroot --userspec=1000:1000 "$0" "$@"`;
  const inside = (...args: readonly string[]) => ['--mount', '/bin/sh', '-c', enter, debian, ...args];
  t.is((await said('unshare', ...inside('sh', '-c', 'command -v node npm || echo none'))).trim(), 'none');

  const server = async (day: (said: string) => Promise<void>) => {
    const child = spawn('unshare', inside('keelson', 'start'), { env });
    let printed = '';
    for (const each of [child.stdout, child.stderr]) each.on('data', (text) => (printed += text));
    const ended = once(child, 'close');
    try {
      await until(async () => {
        if (child.exitCode !== null) throw new Error(printed);
        return isReady(url);
      });
      await day(printed);
    } finally {
      child.kill('SIGTERM');
    }
    t.deepEqual(await ended, [0, null], printed);
    t.regex(printed, /web: pages are up to date/);
    t.notRegex(printed, /"level":"(?:error|fatal)"|EROFS|EACCES/);
  };
  await server((printed) => firstDay(t, url, /http\S+\/admin\/setup\?token=\S+/.exec(printed)?.[0] ?? ''));
  await server(() => nextDay(t, url));
});
