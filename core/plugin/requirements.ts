// Checks that required plugins exist and that no plugin requires itself.
import type { Loaded } from './check.ts';
import type { Plugin } from './plugin.ts';

/** Returns the faults in a plugin's requirements. */
export function requirementFaults(plugin: Plugin, loaded: readonly Loaded[]): string[] {
  const byId = new Map(loaded.map((each) => [each.plugin.id, each.plugin]));
  const missing = (plugin.requires ?? [])
    .filter((id) => !byId.has(id))
    .map((id) => `requires ${id}, which is not there`);
  const reaches = (id: string, seen: ReadonlySet<string>): boolean =>
    (byId.get(id)?.requires ?? []).some(
      (next) => next === plugin.id || (!seen.has(next) && reaches(next, new Set([...seen, next]))),
    );
  return reaches(plugin.id, new Set()) ? [...missing, 'requires itself, over others'] : missing;
}
