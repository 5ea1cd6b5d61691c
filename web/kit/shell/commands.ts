// Commands that plugins add to a record. Their modules are loaded on use.
import { toastError } from '../components/toast.tsx';
import type { Key } from './keys.tsx';
import { useSession } from './session.tsx';
import { loadWords } from './words.ts';

type Run = (record: unknown) => unknown;

/** Returns the commands of a record type for its menu, the palette and the keyboard. */
export function useCommands(type: string, record: unknown): readonly (Key & { readonly id: string })[] {
  const { commands } = useSession();
  return commands
    .filter((each) => each.on === type)
    .map(({ plugin, id, title, key, module }) => ({
      id,
      title,
      keys: key ?? '',
      run: () => void start(plugin, module, record),
    }));
}

async function start(plugin: string, module: string, record: unknown): Promise<void> {
  try {
    await loadWords(plugin);
    const { default: run } = (await import(/* @vite-ignore */ module)) as { default: Run };
    await run(record);
  } catch (error) {
    toastError(error);
  }
}
