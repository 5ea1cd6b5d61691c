// Prints a CycloneDX list of the packages that an installation runs: `npm run sbom --silent > keelson.cdx.json`.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

interface Bom {
  components: readonly Component[];
  dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface Component {
  readonly 'bom-ref': string;
  readonly properties: readonly { readonly name: string }[];
}

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly name?: string; readonly version?: string; readonly dev?: true }>
  >;
}

const root = resolve(import.meta.dirname, '..');
const { packages }: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const nameAt = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const run = new Set(
  Object.entries(packages).flatMap(([path, { name = nameAt(path), version, dev }]) =>
    dev ? [] : [`${name}@${version}`],
  ),
);

// `npm sbom --omit=dev` also omits packages that both Keelson and a development tool use.
const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'];
const bom: Bom = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }));
bom.components = bom.components
  .filter((each) => run.has(each['bom-ref']))
  .map(({ properties, ...each }) => ({
    ...each,
    properties: properties.filter(({ name }) => name !== 'cdx:npm:package:development'),
  }));
bom.dependencies = bom.dependencies
  .filter(({ ref }) => run.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => run.has(each)) }));
process.stdout.write(`${JSON.stringify(bom, undefined, 2)}\n`);
