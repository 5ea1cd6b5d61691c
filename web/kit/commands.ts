// Acts that other plugins add to a record. Their files are loaded when they are chosen.
import { useSession } from './session.tsx';
import { toastError } from './toast.tsx';
import type { Key } from './keys.tsx';

type Run = (record: unknown) => unknown;

/** The commands of a record's type, as entries for its menu, the palette and the keys. */
export function useCommands(type: string, record: unknown): readonly (Key & { readonly id: string })[] {
  const { commands } = useSession();
  return commands
    .filter((each) => each.on === type)
    .map(({ id, title, key, module }) => ({ id, title, keys: key ?? id, run: () => void start(module, record) }));
}

async function start(module: string, record: unknown): Promise<void> {
  try {
    const { default: run } = (await import(/* @vite-ignore */ module)) as { default: Run };
    await run(record);
  } catch (error) {
    toastError(error);
  }
}
