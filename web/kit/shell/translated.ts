// Translates the English labels of declarations and sessions.
import { t } from './words.ts';

/** Members that contain text for people. */
const LABELS: ReadonlySet<string> = new Set(['title', 'empty', 'confirm', 'rows', 'description']);

/** Returns the declaration in the person's language. Call it once its plugin's catalogue is loaded. */
export function translated<T>(declared: T): T {
  if (Array.isArray(declared)) return declared.map(translated) as T;
  if (!(declared instanceof Object)) return declared;
  const said = Object.entries(declared).map(([name, value]) => [
    name,
    LABELS.has(name) && typeof value === 'string' ? t(value) : translated(value as unknown),
  ]);
  return Object.fromEntries(said) as T;
}
