// Formats an error from a third-party file with the line that raised it.
import { dirname, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns the error's message with the first stack frame in the plugin's folder: `not today (at claim.ts:12)`.
 * @param file the plugin file
 */
export function faultText(error: unknown, file: string | undefined): string {
  if (!(error instanceof Error)) return String(error);
  const at = file === undefined ? undefined : placeIn(error.stack ?? '', dirname(file));
  return at === undefined ? error.message : `${error.message} (at ${at})`;
}

function placeIn(stack: string, folder: string): string | undefined {
  for (const [, name = '', line] of stack.matchAll(/((?:file:\/\/)?\/[^\s():]+):(\d+)/g)) {
    const path = name.startsWith('file:') ? fileURLToPath(name) : name;
    if (path.startsWith(folder + sep)) return `${relative(folder, path)}:${line}`;
  }
  return undefined;
}
