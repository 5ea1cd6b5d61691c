// Which answers a change of a record outdates, so that open pages ask for them again.
import { memoize } from '@keelson/kit/memoize.ts';
import { operationsOf } from '../plugin/page/page-operations.ts';
import type { Part } from '../plugin/page/part.ts';
import type { Plugin } from '../plugin/plugin.ts';

/** The paths by the `type` of a change; every operation whose line contains one is outdated. */
export type LivePaths = Readonly<Record<string, readonly string[]>>;

/** Returns the paths of the reading operations of each live table, by its views, its record and its declaration. */
export const livePathsOf = (plugins: readonly Plugin[], kind: Part['kind']): LivePaths => byKind(plugins)[kind];

const byKind = memoize((plugins: readonly Plugin[]) => ({
  console: pathsOf(plugins, 'console'),
  portal: pathsOf(plugins, 'portal'),
}));

function pathsOf(plugins: readonly Plugin[], kind: Part['kind']): LivePaths {
  const operations = [...operationsOf(plugins, kind)];
  const records = plugins.flatMap(({ [kind]: part }) => part?.records ?? []);
  const surface = kind === 'console' ? 'admin' : 'helpdesk';
  const live = plugins.flatMap((each) => each.live ?? []).filter((each) => each[surface]);
  return Object.fromEntries(
    live.map(({ of: { name }, paths = [] }) => {
      const reads = operations.flatMap(([line, { method, returns }]) =>
        method === 'get' && returns.of === name ? outdated(line) : [],
      );
      const own = records.filter(({ type }) => type === name).flatMap(({ read, find = read }) => [read, find]);
      return [name, [...new Set([...paths, ...reads, ...own.flatMap(outdated)])]];
    }),
  );
}

/** Returns `/tickets.php` for `GET /tickets.php?id={id}`, and nothing for a list below another record. */
function outdated(line: string): string[] {
  const path = line.slice(line.indexOf(' ') + 1);
  if (path.includes('}/')) return [];
  if (path.includes('action=')) return [path.replace(/&.*/, '')];
  return [path.replace(/[?{].*/, '').replace(/\/$/, '')];
}
