// config/kubernetes: only names that exist, limits and restrictions everywhere, probes where something listens.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { parseAllDocuments } from 'yaml';
import { settings } from '../../config/config.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'config/kubernetes');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const objects = globSync('**/*.yaml', { cwd: folder }).flatMap((file) =>
  parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((each) => {
    if (each.errors.length > 0) throw new Error(`${file}: ${each.errors[0]?.message}`);
    return each.toJS();
  }),
);
const kustomizations = objects.filter(({ kind }) => kind === 'Kustomization');
const pods = objects.flatMap(({ metadata, spec }) =>
  spec?.template ? [{ name: metadata.name, ...spec.template }] : [],
);
const named = (kind: string, name: string) =>
  objects.find((each) => each.kind === kind && each.metadata?.name === name)?.spec;

test('every process is restricted as in compose.yaml, and limited', (t) => {
  t.deepEqual(pods.map(({ name }) => String(name)).toSorted(), ['keelson-jobs', 'keelson-upgrade', 'keelson-web']);
  const dockerfile = read('Dockerfile');
  for (const { name, spec } of pods) {
    t.like(spec, { automountServiceAccountToken: false, enableServiceLinks: false }, name);
    t.like(spec.securityContext, { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } });
    t.true(dockerfile.includes(`--uid ${spec.securityContext.runAsUser} `));
    for (const { resources, securityContext, command } of spec.containers) {
      t.deepEqual(securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      t.truthy(resources.limits.memory && resources.requests.memory && resources.requests.cpu, name);
      const [, ...rest] = command;
      const start = rest.filter((each: string) => !each.startsWith('--only=')).join(' ');
      t.true(start === 'cli.js upgrade' || read('package.json').includes(`exec node ${start}"`), start);
    }
  }
});

test('what containers mount is there, and they can write where Keelson does', (t) => {
  for (const { name, spec } of pods) {
    const volumes = spec.volumes.map((each: { name: string }) => each.name);
    const mounts: readonly { name: string; mountPath: string }[] = spec.containers[0].volumeMounts;
    t.deepEqual(mounts.map((each) => each.name).toSorted(), volumes.toSorted(), name);
    t.deepEqual(
      mounts.map(({ mountPath }) => mountPath),
      ['/data', '/tmp', '/secret'],
    );
    t.truthy(named('PersistentVolumeClaim', spec.volumes[0].persistentVolumeClaim.claimName));
  }
});

test('web processes are replaced without a gap, and asked where they answer', (t) => {
  const { strategy, replicas, template } = named('Deployment', 'keelson-web');
  t.deepEqual(strategy.rollingUpdate, { maxUnavailable: 0, maxSurge: 1 });
  t.is(replicas, 2);
  const [container] = template.spec.containers;
  const paths = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((each) => container[each].httpGet.path);
  t.deepEqual(paths, ['/health', '/health', '/ready']);
  const [, port] = /^ENV .*\bPORT=(\d+)/m.exec(read('Dockerfile')) ?? [];
  t.deepEqual(container.ports, [{ name: 'http', containerPort: Number(port) }]);
  // Keelson takes up to 15 s to stop (compose.yaml).
  const wait = Number(container.lifecycle.preStop.exec.command[1]);
  t.true(template.spec.terminationGracePeriodSeconds >= wait + 20);
  const { selector, ports } = named('Service', 'keelson');
  t.like(template.metadata.labels, selector);
  t.is(ports[0].targetPort, 'http');
  const [rule] = named('Ingress', 'keelson').rules;
  t.deepEqual(rule.http.paths[0].backend.service, { name: 'keelson', port: { name: ports[0].name } });
  t.is(named('Deployment', 'keelson-jobs').template.spec.containers[0].command.at(-1), '--only=jobs');
});

test('settings and files named there exist, for this version', (t) => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  for (const each of kustomizations) t.is(each.images[0].newTag, version);
  for (const { name, spec } of pods)
    t.deepEqual(
      spec.containers[0].envFrom,
      [{ configMapRef: { name: 'keelson' } }, { secretRef: { name: 'keelson' } }],
      name,
    );
  const literals: readonly string[] = kustomizations.flatMap((each) => each.configMapGenerator?.[0].literals ?? []);
  const names = literals.map((each) => each.slice(0, each.indexOf('=')));
  t.true(names.includes('MASTER_KEY_FILE'));
  const known = new Set(Object.values(settings).map(({ name }) => name));
  t.deepEqual(
    [...names, 'DATABASE_URL', 'REDIS_URL'].filter((each) => !known.has(each)),
    [],
  );
  const host = new URL(literals.find((each) => each.startsWith('BASE_URL='))?.slice(9) ?? '').host;
  t.is(named('Ingress', 'keelson').rules[0].host, host);
});

// Packages apart from the product's own: npm ci --prefix test/generated
const models = join(root, 'test/generated/node_modules/kubernetes-models');
const known = existsSync(models) ? test : test.skip;

known('Kubernetes knows every field, and every value has the right type', async (t) => {
  for (const each of objects.filter(({ kind }) => kind !== 'Kustomization')) {
    const kinds = await import(pathToFileURL(join(models, each.apiVersion, 'index.js')).href);
    const { validate } = kinds[each.kind].prototype;
    const unknown: string[] = [];
    t.notThrows(() => validate.call(watched(each, each.kind)), each.kind);
    for (const report of reports.splice(0)) unknown.push(...report());
    t.deepEqual(unknown, []);
  }
});

const reports: (() => string[])[] = [];

/** A copy that notices which fields are read: the schemas ignore fields that they do not know. */
function watched(value: unknown, at: string): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((each, index) => watched(each, `${at}/${index}`));
  const read = new Set<string | symbol>();
  reports.push(() => Object.keys(value).flatMap((key) => (read.has(key) ? [] : [`${at}/${key}`])));
  const copy = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, watched(each, `${at}/${key}`)]));
  return new Proxy(copy, { get: (target, key: string) => (read.add(key), target[key]) });
}

const kustomize = spawnSync('kubectl', ['version', '--client']).status === 0 ? test : test.skip;

kustomize('kubectl builds both folders', (t) => {
  for (const [place, count] of [
    ['', 7],
    ['upgrade', 1],
  ] as const) {
    const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', join(folder, place)], { encoding: 'utf8' });
    t.is(status, 0, stderr);
    const built = parseAllDocuments(stdout).map((each) => each.toJS());
    t.is(built.length, count);
    t.false(JSON.stringify(built).includes('"image":"keelson"'), 'every image is named');
    if (place === '') t.true(built.some((each) => each.kind === 'ConfigMap' && each.metadata.name === 'keelson'));
  }
});
