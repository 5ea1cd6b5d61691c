// Translates the labels of declarations and sessions, which are in English.
import { t } from './words.ts';

/** Members that hold text for people. */
const LABELS: ReadonlySet<string> = new Set(['title', 'empty', 'confirm', 'rows', 'description']);

/** Returns the declaration in the person's language. Call it once the words of its plugin are loaded. */
export function translated<T>(declared: T): T {
  if (Array.isArray(declared)) return declared.map(translated) as T;
  if (!(declared instanceof Object)) return declared;
  const said = Object.entries(declared).map(([name, value]) => [
    name,
    LABELS.has(name) && typeof value === 'string' ? t(value) : translated(value as unknown),
  ]);
  return Object.fromEntries(said) as T;
}
