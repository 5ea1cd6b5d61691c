// Writes keelson-<version>-<system>.tar.gz and its checksum: the last commit, installed, with this Node, for machines
// without npm. `npm run archive`, or `npm run archive -- <folder>`.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const name = `keelson-${version}`;
const into = resolve(process.argv[2] ?? '.');
const file = join(into, `${name}-${process.platform}-${process.arch}.tar.gz`);

const folder = mkdtempSync(join(tmpdir(), 'keelson-archive-'));
const place = join(folder, name);
try {
  mkdirSync(place);
  copyCommit();
  run('npm', 'ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund');
  for (const each of ['fonts-sc', 'fonts-kr'])
    cpSync(join(root, 'node_modules/@embedpdf', each), join(place, 'node_modules/@embedpdf', each), {
      recursive: true,
    });
  run('npm', 'run', 'slim');
  run(process.execPath, 'cli.js', 'web');
  addNode();
  writeArchive();
} finally {
  rmSync(folder, { recursive: true });
}

/** Copies what the last commit has and the image takes: .dockerignore is the only list of what is left out. */
function copyCommit(): void {
  const source = join(folder, 'source.tar');
  execFileSync('git', ['archive', '--output', source, 'HEAD'], { cwd: root });
  run('tar', '--extract', '--file', source);
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  for (const each of globSync(ignored, { cwd: place })) rmSync(join(place, each), { recursive: true, force: true });
}

function addNode(): void {
  mkdirSync(join(place, 'bin'));
  cpSync(process.execPath, join(place, 'bin/node'));
  const brought = createRequire(join(root, 'node_modules/node/package.json'));
  const from = dirname(brought.resolve(`node-${process.platform}-${process.arch}/package.json`));
  cpSync(join(from, 'LICENSE'), join(place, 'bin/LICENSE.node'));
}

/** The same commit gives the same bytes. */
function writeArchive(): void {
  const date = execFileSync('git', ['log', '-1', '--format=@%ct'], { cwd: root, encoding: 'utf8' }).trim();
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
  const same = ['--sort=name', `--mtime=${date}`, ...owner, '--use-compress-program=gzip --no-name'];
  mkdirSync(into, { recursive: true });
  execFileSync('tar', ['--create', '--file', file, ...same, '--directory', folder, name]);
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
  writeFileSync(`${file}.sha256`, `${sum}  ${basename(file)}\n`);
  console.log(file);
}

function run(command: string, ...args: readonly string[]): void {
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1', NODE_ENV: 'production' };
  execFileSync(command, args, { cwd: place, env, stdio: ['ignore', 'ignore', 'inherit'] });
}
