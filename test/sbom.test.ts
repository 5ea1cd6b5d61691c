import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';

const root = resolve(import.meta.dirname, '..');

interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

test('npm run sbom lists the packages that an installation runs, and no development tools', async (t) => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], { cwd: root, maxBuffer: 2 ** 26 });
  const bom = JSON.parse(stdout) as { bomFormat: string; components: readonly { purl: string }[] };
  t.is(bom.bomFormat, 'CycloneDX');
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, Locked>>;
  };
  const installed = Object.entries(packages).flatMap(([path, { version, dev, link }]) => {
    const [, name = ''] = /.*node_modules\/(.*)$/.exec(path) ?? [];
    return name === '' || dev || link ? [] : [`pkg:npm/${name.replace('@', '%40')}@${version}`];
  });
  const listed = bom.components.map(({ purl }) => purl).filter((each) => !each.startsWith('pkg:npm/%40keelson/'));
  t.deepEqual(listed.toSorted(), [...new Set(installed)].toSorted());
  for (const name of ['koa', 'typeorm']) t.true(listed.some((each) => each.startsWith(`pkg:npm/${name}@`)));
  for (const name of ['ava', 'playwright-core']) t.false(listed.some((each) => each.startsWith(`pkg:npm/${name}@`)));
});
