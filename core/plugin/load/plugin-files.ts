// Finds the files of modules and plugins by name: plugin.ts, or plugin.js of a plugin in plain JavaScript.
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface PluginFile {
  /** The name of the folder. */
  readonly name: string;
  readonly file: string;
  readonly href: string;
}

/** The folder of the product. */
export const root = resolve(import.meta.dirname, '../../..');

/** Returns the folder of PLUGINS_DIR. @throws Error when it is missing */
export function pluginsFolder(pluginsDir: string): string {
  const folder = resolve(root, pluginsDir);
  if (!existsSync(folder)) throw new Error(`PLUGINS_DIR: the folder ${folder} does not exist.`);
  return folder;
}

/** Returns the file of this kind in each subfolder that has one, sorted by name. */
export function filesIn(folder: string, kind: 'plugin' | 'commands'): PluginFile[] {
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  return names.flatMap((name) => {
    const file = [`${kind}.ts`, `${kind}.js`].map((each) => join(folder, name, each)).find((each) => existsSync(each));
    return file === undefined ? [] : [{ name, file, href: pathToFileURL(file).href }];
  });
}
