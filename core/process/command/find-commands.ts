// Finds the commands of modules and plugins in their commands.ts, without loading the modules and plugins themselves.
import { resolve } from 'node:path';
import type { Command } from '../../plugin/declaration/command.ts';
import { insidePlugin } from '../../plugin/inside.ts';
import { filesIn, pluginsFolder, root, type PluginFile } from '../../plugin/load/plugin-files.ts';
import { tryToLoad } from '../../plugin/load/trial.ts';
import { loadWithin } from '../../plugin/load/work-limit.ts';

const LIMIT_MS = 5000;

export interface FoundCommands {
  /** The name of the plugin's folder, which is its id. */
  readonly plugin: string;
  readonly commands: readonly Command[];
}

/** Returns the commands of the modules. */
export async function moduleCommands(): Promise<FoundCommands[]> {
  return Promise.all(filesIn(resolve(root, 'modules'), 'commands').map(read));
}

/** Returns the commands of third-party plugins. Calls `failed` for a file that cannot be loaded. */
export async function pluginCommands(
  pluginsDir: string,
  failed: (plugin: string, error: unknown) => void,
): Promise<FoundCommands[]> {
  const found: FoundCommands[] = [];
  const files = filesIn(pluginsFolder(pluginsDir), 'commands');
  const faults = await tryToLoad({ files, first: [], settleMs: 0 });
  for (const file of files) {
    const fault = faults.get(file.href);
    if (fault !== undefined) {
      failed(file.name, new Error(`${file.file}: ${fault}`));
      continue;
    }
    await insidePlugin(file.name, () => read(file)).then(
      (each) => found.push(each),
      (error: unknown) => failed(file.name, error),
    );
  }
  return found;
}

async function read({ name, file, href }: PluginFile): Promise<FoundCommands> {
  const loading = loadWithin(LIMIT_MS, () => import(href), `${file} did not finish loading`);
  const { default: commands } = (await loading) as { default?: readonly Command[] };
  if (!Array.isArray(commands)) throw new Error(`the default export of ${file} must be a list of commands`);
  return { plugin: name, commands };
}
