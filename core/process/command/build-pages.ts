// Builds the console and the portal without a server.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildInto, findBuild } from '@keelson/web-build';
import type { Shell } from '../../plugin/declaration/command.ts';
import { loadInstallation } from '../../plugin/load/load.ts';
import type { Fault, Loaded } from '../../plugin/load/loaded.ts';
import { besideInstallation, readSources } from '../../web/build-sources.ts';

/** `node cli.js web`: builds the pages into the folder of the installation. */
export async function buildPages({ config, print }: Shell): Promise<void> {
  const { loaded } = await loadInstallation(config.pluginsDir);
  const sources = await readSources(loaded);
  const known = await findBuild([besideInstallation], sources.hash);
  const { folder, manifest } = known ?? (await buildInto(besideInstallation, sources));
  for (const { plugin, message } of manifest.problems) print(`${plugin}: page left out: ${message}`);
  print(`Wrote ${Object.keys(manifest.files).length} files to ${folder}`);
}

/** Returns the pages that fail to build. Keeps no output. @throws Error when the kit or the shells cannot be built */
export async function pageFaults(loaded: readonly Loaded[]): Promise<Fault[]> {
  const place = await mkdtemp(join(tmpdir(), 'keelson-web-'));
  try {
    const { manifest } = await buildInto(place, await readSources(loaded));
    return [...manifest.problems];
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
