// Sources of reports: a module declares which of its records can be reported on. A report never shows more than
// the declared view.
import { indexedSorts } from '@keelson/list/walk/walk-plan.ts';
import type { DeclaredSource } from '../../plugin/declaration/report-declaration.ts';
import type { Access } from '../../plugin/route/surface.ts';
import type { OutOf, View } from '../view.ts';
import { fieldOf, type FieldOptions, type ReportField } from './report-field.ts';

export interface SourceOptions<V extends View> {
  /** The display name: `Tickets`. */
  readonly title: string;
  /** Who may report on it: the access rule of the records' list. */
  readonly access: Access<any>;
  /** What is reported. Its `visible` limits the rows; its members are all that can be shown. */
  readonly view: V;
  /** The offered members, in order, each with its heading. */
  readonly fields: { readonly [K in keyof OutOf<V> & string]?: string | FieldOptions };
}

/** The result of `reportSource(…)`. */
export interface ReportSource extends DeclaredSource {
  readonly access: Access<any>;
  readonly view: View;
  readonly fields: ReadonlyMap<string, ReportField>;
}

/**
 * Declares a source of reports on a surface, for a plugin's `reports`; call it once, at module level.
 * @param name the value of `source` in requests: `tickets`; a third party's starts with its id and `_`
 * @throws Error for a field without a member in the view
 */
export function reportSource<V extends View>(
  surface: 'admin' | 'helpdesk',
  name: string,
  { title, access, view, fields }: SourceOptions<V>,
): ReportSource {
  const sorts = indexedSorts(view.list);
  const all = Object.entries<string | FieldOptions | undefined>(fields).flatMap(([key, given]) =>
    given === undefined ? [] : [[key, fieldOf(view, key, given, sorts)] as const],
  );
  return Object.freeze({ surface, name, title, access, view, fields: new Map(all) });
}
