// Uncaught errors of third-party plugins are attributed to them and do not end the process.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { strayErrorOf } from '../../core/plugin/inside.ts';
import { makeFolder } from '../_folder.ts';
import { freePort, startNode } from '../faults/_node.ts';
import { makePlace } from '../faults/_place.ts';

const escaping = {
  late: `setTimeout(() => { throw new Error('too late'); }, 3000);
    export default { id: 'late', title: 'Late' };`,
  socket: `import { connect } from 'node:net';
    export default { id: 'socket', title: 'Socket', start() { setTimeout(() => connect(1, '127.0.0.1'), 100); } };`,
  text: `export default { id: 'text', title: 'Text', start() { setInterval(() => { throw 'only a text'; }, 100); } };`,
  rejecting: `export default { id: 'rejecting', title: 'R', start() { setTimeout(async () => { throw new Error('unheard'); }, 100); } };`,
  unable: `export default { id: 'unable', title: 'Unable', start() { throw new Error('no licence'); } };`,
};

test('uncaught errors of plugins are logged and shown in health; the process continues', async (t) => {
  const pluginsDir = makeFolder(t);
  symlinkSync(resolve('node_modules'), join(pluginsDir, 'node_modules'));
  for (const [name, content] of Object.entries(escaping)) {
    mkdirSync(join(pluginsDir, name));
    writeFileSync(join(pluginsDir, name, 'plugin.ts'), content);
  }
  const { env } = await makePlace(t);
  const since = performance.now();
  const node = startNode(t, { env: { ...env, PLUGINS_DIR: pluginsDir } }, await freePort());
  await node.ready();
  const wanted = Object.keys(escaping).toSorted();
  let failing: string[] = [];
  // `/ready` reads the problems at most every ten seconds.
  for (; failing.length < wanted.length; await sleep(50)) {
    const answer = (await (await fetch(`${node.url}/ready`)).json()) as { readonly plugins_failing?: string[] };
    failing = (answer.plugins_failing ?? []).toSorted();
  }
  t.deepEqual(failing, wanted);
  t.is(node.child.exitCode, null, 'the process runs');
  t.is(await node.end('SIGTERM'), 0);
  const said = node.said();
  t.regex(said, /"plugin":"late","msg":"plugin: too late \(at \S+late\/plugin\.ts:1\)/);
  t.regex(said, /"plugin":"socket","msg":"plugin: connect ECONNREFUSED/);
  const minutes = Math.ceil((performance.now() - since) / 60_000);
  const times = said.split('"plugin":"text"').length - 1;
  t.true(times >= 1 && times <= minutes, `logged ${times} times in ${minutes} minutes`);
});

test('an error is attributed to a plugin only if it comes from its files or from callbacks it started', (t) => {
  const places = [{ id: 'bell', folder: '/srv/plugins/bell' }];
  const thrown = (...paths: string[]) =>
    Object.assign(new Error('no'), {
      stack: ['Error: no', ...paths.map((each) => `    at ring (${each}:3:5)`)].join('\n'),
    });
  const ours = resolve('core/process/create-app.ts');
  const theirs = '/srv/plugins/bell/ring.ts';
  t.is(strayErrorOf(thrown(ours), places), undefined);
  t.is(strayErrorOf(thrown('/srv/plugins/bells/ring.ts'), places), undefined);
  t.is(strayErrorOf('a text', places), undefined);
  const message = `no (at ${theirs}:3)`;
  t.deepEqual(strayErrorOf(thrown(ours, theirs, 'node:internal/timers'), places), {
    plugin: 'bell',
    message,
    isApart: true,
  });
  t.deepEqual(strayErrorOf(thrown(theirs, ours), places), { plugin: 'bell', message, isApart: false });
});
