// Builds the image as Dockerfile says and runs it as compose.yaml says, with podman in a folder of its own.
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');

/** Runs a command. @returns what it printed @throws when it fails */
export async function said(command: string, ...args: readonly string[]): Promise<string> {
  return (await run(command, args, { maxBuffer: 2 ** 26 })).stdout;
}

/** The first line a command prints; undefined without that command. */
async function found(command: string, ...args: readonly string[]): Promise<string | undefined> {
  try {
    return (await said(command, ...args)).split('\n')[0];
  } catch {
    return undefined;
  }
}

// Without the right to raise limits, podman's own defaults fail.
const limits = ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096'];

export interface Engine {
  /** Runs `podman <args>`. */
  podman(...args: readonly string[]): Promise<string>;
  /** Starts the image with a name and settings, restricted as in compose.yaml; its `/data` is a volume. */
  start(name: string, settings: Readonly<Record<string, string>>): Promise<void>;
  /** Runs a command in a new container. @returns what it printed */
  once(...command: readonly string[]): Promise<string>;
  /** Megabytes of the image: unpacked, and compressed as a registry sends it. */
  sizes(): Promise<{ readonly unpacked: number; readonly sent: number }>;
  /** Where the base images came from, for the record. */
  readonly bases: string;
  remove(): Promise<void>;
}

/** Builds the image from a fresh clone of the last commit. @throws when podman is missing or a step fails */
export async function buildImage(): Promise<Engine> {
  if ((await found('podman', '--version')) === undefined)
    throw new Error('This needs podman, runc (or crun) and mmdebstrap: apt-get install podman runc mmdebstrap');
  const folder = mkdtempSync(join(tmpdir(), 'keelson-image-'));
  const runtime = await found('sh', '-c', 'command -v runc');
  const own = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')];
  const podman = (...args: readonly string[]) =>
    said('podman', ...own, ...(runtime ? ['--runtime', runtime] : []), ...args);
  const remove = async () => {
    await podman('rm', '--force', '--all', '--time', '0');
    await podman('rmi', '--force', '--all');
    rmSync(folder, { recursive: true });
  };
  try {
    const bases = await provideBases(folder, podman);
    await said('git', 'clone', '--quiet', '--depth', '1', `file://${root}`, join(folder, 'clone'));
    await podman(
      ...['build', '--format', 'docker', '--isolation', 'chroot', '--network', 'host', '--tag', 'keelson'],
      ...(await certificates(folder)),
      join(folder, 'clone'),
    );
    const base = ['--network', 'host', ...limits];
    return {
      podman,
      bases,
      async start(name, settings) {
        await podman(
          ...['run', '--detach', '--name', name, ...base, '--volume', `${name}:/data`],
          ...['--read-only', '--read-only-tmpfs=false', '--tmpfs', '/tmp'],
          ...['--cap-drop', 'all', '--security-opt', 'no-new-privileges'],
          ...Object.entries(settings).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
          'keelson',
        );
      },
      once: async (...command) => (await podman('run', '--rm', ...base, 'keelson', ...command)).trim(),
      sizes: () => sizesOf(folder, podman),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

type Podman = Engine['podman'];

async function sizesOf(folder: string, podman: Podman) {
  const unpacked = Number(await podman('image', 'inspect', '--format', '{{.Size}}', 'keelson'));
  const pushed = join(folder, 'pushed');
  await podman('push', '--quiet', 'keelson', `oci:${pushed}`);
  const sent = Number((await said('du', '-sb', pushed)).split('\t')[0]);
  rmSync(pushed, { recursive: true });
  return { unpacked: Math.round(unpacked / 1e6), sent: Math.round(sent / 1e6) };
}

/** What npm needs in the build to trust a registry that it trusts here only because of its settings. */
async function certificates(folder: string): Promise<string[]> {
  const file = await found('npm', 'config', 'get', 'cafile');
  if (file === undefined || file === 'null') return [];
  writeFileSync(join(folder, 'npmrc'), 'cafile=/tmp/certificates.pem\n');
  return [
    '--volume',
    `${join(folder, 'npmrc')}:/usr/local/etc/npmrc:ro`,
    '--volume',
    `${file}:/tmp/certificates.pem:ro`,
  ];
}

/** Pulls the base images, or makes stand-ins from Debian's packages and npm where Docker Hub cannot be reached. */
async function provideBases(folder: string, podman: Podman): Promise<string> {
  const names = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, name = '']) => `docker.io/library/${name}`);
  try {
    for (const name of names) await podman('pull', '--quiet', name);
    return 'pulled';
  } catch {
    const debian = join(folder, 'debian');
    await makeDebian(debian);
    for (const name of names) {
      if (name.includes('/node:')) await addNode(debian);
      const archive = join(folder, 'base.tar');
      await said('tar', '--create', '--file', archive, '--directory', debian, '.');
      await podman('import', '--quiet', archive, name);
      rmSync(archive);
      if (name.includes('/node:')) rmSync(join(debian, 'usr/local'), { recursive: true });
    }
    rmSync(debian, { recursive: true });
    return `stand-ins from Debian's packages, as Docker Hub cannot be reached`;
  }
}

/** Makes a minimal Debian in `to`, without documentation, like `debian:*-slim`. */
export async function makeDebian(to: string): Promise<void> {
  const suite = /^FROM debian:(\w+)-slim/m.exec(dockerfile)?.[1] ?? '';
  const without = ['doc', 'man', 'locale', 'info'].map((each) => `--dpkgopt=path-exclude=/usr/share/${each}/*`);
  const options = ['--quiet', '--variant=minbase', '--aptopt=Apt::Install-Suggests "false"', ...without];
  await said('mmdebstrap', ...options, suite, to, 'http://deb.debian.org/debian');
  chmodSync(to, 0o755);
}

/** Adds the Node that the tests run on, and npm, where `node:*-slim` has them. */
async function addNode(to: string): Promise<void> {
  const local = join(to, 'usr/local');
  const npm = join(local, 'lib/node_modules/npm');
  mkdirSync(npm, { recursive: true });
  cpSync(process.execPath, join(local, 'bin/node'));
  const packed = (await said('npm', 'pack', '--silent', '--pack-destination', to, 'npm@11')).trim();
  await said('tar', '--extract', '--file', join(to, packed), '--directory', npm, '--strip-components', '1');
  rmSync(join(to, packed));
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
}
