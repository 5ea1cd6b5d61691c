// Parses test/access-matrix.md: who may use which rule, the expected response per id, and the exceptions.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './_source.ts';

/** `ok`, `page`, or a status. */
export type Expected = string;
export type Side = 'own' | 'foreign' | 'absent';

type Cells = Readonly<Record<string, string>>;

export interface AccessTable {
  callers(surface: string): readonly string[];
  /**
   * Returns the rule's outcome for the caller before ids are checked.
   * @throws Error in one sentence if no row matches
   */
  rule(surface: string, rule: string, caller: string): Expected;
  /**
   * Returns the outcome for an id, for a caller with access to the operation.
   * @throws as `rule` does
   */
  id(ids: string, side: Side): Expected;
  exception(operation: string, caller: string, side: Side): Expected | undefined;
  /** Returns the exceptions for these operations that never applied, and are therefore outdated. */
  unused(operations: readonly string[]): readonly string[];
}

export function readAccessTable(file = 'test/access-matrix.md'): AccessTable {
  const sections = readFileSync(join(root, file), 'utf8').split(/^## /m).slice(1);
  const rows = new Map(sections.map((text) => [text.split('\n')[0] ?? '', rowsOf(text)]));
  const used = new Set<Cells>();
  const rowsAt = (section: string) => rows.get(section) ?? [];
  const callersOf = (surface: string) => rowsAt(`Callers of the ${surface} surface`);
  const take = (found: Cells | undefined, otherwise: string): Cells => {
    if (!found) throw new Error(`${otherwise} (${file})`);
    used.add(found);
    return found;
  };
  return {
    callers: (surface) => Object.keys(callersOf(surface)[0] ?? {}).filter((name) => name !== 'rule'),
    rule(surface, rule, caller) {
      const row = callersOf(surface).find((each) => fits(each['rule'], rule));
      const missing = `No row says who of the ${surface} surface may use the rule "${rule}": add one`;
      return take(row, missing)[caller] ?? '';
    },
    id(ids, side) {
      const row = rowsAt('Ids').find((each) => fits(each['ids of'], ids));
      return take(row, `No row says how ids of ${ids} are answered: add one`)[side] ?? '';
    },
    exception(operation, caller, side) {
      const row = rowsAt('Exceptions').find(
        (each) => each['operation'] === operation && fits(each['caller'], caller) && fits(each['id'], side),
      );
      return row && take(row, '')['answer'];
    },
    unused: (operations) =>
      rowsAt('Exceptions')
        .filter((each) => !used.has(each) && operations.includes(each['operation'] ?? ''))
        .map((each) => Object.values(each).join(' | ')),
  };
}

/** `*` matches any words; commas separate several callers. */
function fits(pattern: string | undefined, text: string): boolean {
  const parts = (pattern ?? '').split('*').map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join('.*')}$`).test(text) || (pattern?.split(', ').includes(text) ?? false);
}

function rowsOf(section: string): Cells[] {
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  const cells = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const [names = [], , ...rest] = cells;
  return rest.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i] ?? ''])));
}
