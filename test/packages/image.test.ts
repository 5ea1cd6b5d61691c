// The image, built and run as compose.yaml runs it. `npm run test:image`; not part of a whole run, as it takes minutes.
import anyTest, { type ExecutionContext } from 'ava';
import { makeDatabase, server } from '../_tenants.ts';
import { until } from '../_until.ts';
import { isReady, freePort } from '../faults/_node.ts';
import { buildImage, type Engine } from './_container.ts';
import { firstDay, nextDay } from './_first-day.ts';

const test = anyTest.serial;
let engine: Engine;

anyTest.before(async (t) => {
  t.timeout(900_000);
  engine = await buildImage();
});
anyTest.after.always(async () => engine?.remove());

test('a registry sends at most 250 MB', async (t) => {
  const { unpacked, sent } = await engine.sizes();
  t.log(`${sent} MB compressed, ${unpacked} MB unpacked; base images: ${engine.bases}`);
  t.true(sent <= 250);
});

test('the image holds no sources of tests, no keys, and nothing that its user may change', async (t) => {
  const inside = (command: string) => engine.once('sh', '-c', command);
  t.is(await inside('id -u'), '1000');
  const writable = 'find / -xdev -not -type l -not -path "/proc/*" -not -path "/dev/*" -not -path "/sys/*" -writable';
  t.deepEqual((await inside(`${writable} 2> /dev/null | grep -v "^/home/node"`)).split('\n').toSorted(), [
    '/data',
    '/run/lock',
    '/tmp',
    '/var/tmp',
  ]);
  t.is(
    await inside(
      'cd /app && ls -d .git .env tls data test bench node_modules/ava node_modules/node 2> /dev/null || true',
    ),
    '',
  );
  t.is(await inside('command -v npm yarn || true'), '');
});

test('it serves on SQLite, stops in time and keeps its data', (t) => works(t, {}));

const onMariaDb = server ? test : test.skip;
onMariaDb('it serves on MariaDB, stops in time and keeps its data', async (t) =>
  works(t, { DATABASE_URL: await makeDatabase(t, server ?? '') }),
);

async function works(t: ExecutionContext, settings: Readonly<Record<string, string>>): Promise<void> {
  t.timeout(300_000);
  const { podman } = engine;
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const name = `keelson-${port}`;
  const logs = () => podman('logs', name);
  const state = async (of: string) => (await podman('inspect', '--format', `{{.State.${of}}}`, name)).trim();
  const ready = () =>
    until(async () => {
      if ((await state('Running')) !== 'true') throw new Error(`The container ended:\n${await logs()}`);
      return isReady(url);
    });
  await engine.start(name, { PORT: String(port), HOST: '127.0.0.1', BASE_URL: url, ...settings });
  await ready();
  const status = await podman('exec', name, 'cat', '/proc/1/status');
  t.regex(status, /^Uid:\t1000\t/m);
  for (const each of ['CapPrm', 'CapEff', 'CapBnd']) t.regex(status, new RegExp(`^${each}:\t0+$`, 'm'));
  t.regex(status, /^NoNewPrivs:\t1$/m);
  await t.throwsAsync(podman('exec', name, 'touch', '/home/node/file'), { message: /Read-only file system/ });
  await podman('healthcheck', 'run', name);
  await firstDay(t, url, /http\S+\/admin\/setup\?token=\S+/.exec(await logs())?.[0] ?? '');
  t.deepEqual(await stop(), ['0', true]);

  await podman('start', name);
  await ready();
  await nextDay(t, url);
  t.deepEqual(await stop(), ['0', true]);
  const said = await logs();
  t.is(said.match(/web: pages are up to date/g)?.length, 2, 'pages are built with the image');
  t.notRegex(said, /"level":"(?:error|fatal)"|EROFS|EACCES/);

  async function stop() {
    const since = performance.now();
    await podman('stop', '--time', '20', name);
    return [await state('ExitCode'), performance.now() - since < 15_000];
  }
}
