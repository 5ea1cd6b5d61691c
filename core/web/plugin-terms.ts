// Terms of a plugin that pages of others show: names of its events and dropdown lists, and the fields and choices of its
// reports.
import { labelOf } from '@keelson/words/labels';
import type { Plugin } from '../plugin/plugin.ts';
import type { ReportSource } from '../record/report/report-source.ts';

/** Returns a plugin's terms, in English. */
export function termsOf({ events = [], reports = [], dropdowns = [] }: Plugin): string[] {
  return [
    ...events.filter(({ webhook }) => webhook === 'admin').map(({ name }) => labelOf(name)),
    ...dropdowns.map(({ name }) => labelOf(name)),
    ...(reports as readonly ReportSource[]).flatMap(({ title, fields }) => [
      title,
      ...[...fields.values()].flatMap(({ label, choices, labels }) => [
        label,
        ...(choices ?? []).map(labelOf),
        ...Object.values(labels ?? {}),
      ]),
    ]),
  ];
}
