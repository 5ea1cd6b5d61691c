// The build process: receives its input as a message, writes the files, the manifest last, and exits.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OutputChunk } from 'rolldown';
import { compressed, kitAssets, partStyle } from './assets.ts';
import { sharedModules, type BuildInput, type BuiltFile, type Manifest } from './build-input.ts';
import { bundlePart, bundleShared } from './bundle.ts';
import { wordFiles } from './word-files.ts';

const types: ReadonlyMap<string, string> = new Map([
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['woff2', 'font/woff2'],
]);

/** Runs the build and returns the manifest it wrote. */
export async function build(input: BuildInput): Promise<Manifest> {
  const [shared, ...parts] = await Promise.all([bundleShared(input.web), ...input.parts.map(bundlePart)]);
  const chunks = [...shared, ...parts.flatMap((each) => each.chunks)];
  const files = new Map([
    ...chunks.map(({ fileName, code }) => [fileName, Buffer.from(code)] as const),
    ...kitAssets(input.web),
    ...wordFiles(input.words),
    ...input.parts.flatMap(partStyle),
  ]);
  const written = await Promise.all([...files].map(([name, plain]) => write(input.target, name, plain)));
  const manifest: Manifest = {
    hash: input.hash,
    files: Object.fromEntries(written),
    problems: parts.flatMap((each) => each.problems),
    preload: { console: firstFiles(shared, 'console.js'), portal: firstFiles(shared, 'portal.js') },
  };
  writeFileSync(join(input.target, 'manifest.json'), JSON.stringify(manifest));
  return manifest;
}

async function write(target: string, name: string, plain: Buffer): Promise<[string, BuiltFile]> {
  const path = join(target, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, plain);
  const encoded = await compressed(name, plain);
  for (const [encoding, bytes] of encoded) writeFileSync(`${path}.${encoding}`, bytes);
  const type = types.get(name.split('.').at(-1) ?? '') ?? 'application/octet-stream';
  return [name, { type, encodings: [...encoded.keys()] }];
}

/** Returns the shell with everything it imports, and the modules every page imports. */
function firstFiles(shared: readonly OutputChunk[], shell: string): string[] {
  const byName = new Map(shared.map((each) => [each.fileName, each]));
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const each of byName.get(name)?.imports ?? []) visit(each);
  };
  visit(shell);
  for (const each of [sharedModules['@keelson/web'], sharedModules.react, sharedModules['react/jsx-runtime']])
    visit(`shared/${each}.js`);
  return [...found];
}

process.once('message', (input: BuildInput) => {
  build(input).then(
    () => process.send?.({ done: true }, () => process.disconnect()),
    (error: unknown) => {
      const failed = error instanceof Error ? error.message : String(error);
      process.send?.({ failed }, () => process.disconnect());
    },
  );
});
