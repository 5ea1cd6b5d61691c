// The history of one record, for anyone who may read the record, and the activity of a company, for anyone who may read
// the changed records: entries of the activity log. Their origin and their request are for administrators only.
import { by, is } from '@keelson/list/list.ts';
import { ActivityLine, type Changes } from '@keelson/log/activity.ts';
import { z } from 'zod';
import type { Context } from '../plugin/context.ts';
import { canOpen } from '../plugin/page/page-operations.ts';
import { noun } from './noun.ts';
import { view } from './view.ts';

const Lines = noun(ActivityLine, {
  title: 'Line',
  filters: (its) => ({ entity_type: its.is('entity_type'), entity_id: its.is('entity_id') }),
  sorts: { log_id: by('log_id') },
});

/** An entry of a record's history: `pageOf(ctx, HistoryLine, { ...query, entity_type: 'ticket', entity_id: '7' })`. */
export const HistoryLine = view(Lines, {
  only: ['log_id', 'action', 'description', 'user_id', 'user', 'created_at'],
  more: (its) => ({
    /** `{ field: [before, after] }` */
    changes: its.from(
      z.record(z.string(), z.array(z.unknown()).length(2).readonly()),
      ['changes'],
      ({ changes }) => changes,
    ),
  }),
});

const Placed = noun(ActivityLine, {
  title: 'Activity',
  filters: (its) => ({ company_number: its.is('company_number') }),
  sorts: { log_id: by('log_id') },
});

/**
 * An entry of a company's activity: `pageOf(ctx, CompanyActivity, { ...query, company_number })`. Only of records with
 * a page in the console that the caller may read, and without the values: columns may be hidden from readers.
 */
export const CompanyActivity = view(Placed, {
  only: ['log_id', 'action', 'entity_type', 'description', 'user_id', 'user', 'created_at'],
  more: (its) => ({
    /** The record to open, as declared by the console. */
    record_type: its.from(z.string(), ['record_type'], ({ record_type }) => record_type ?? ''),
    record_id: its.from(z.int(), ['record_id'], ({ record_id }) => record_id ?? 0),
    /** Names of the changed fields. */
    changed: its.from(z.array(z.string()).readonly(), ['changes'], ({ changes }) => Object.keys(changes)),
    /** The new status, if it changed. */
    status: its.from(z.string().nullable(), ['changes'], ({ changes }) => statusIn(changes)),
  }),
  visible: (ctx) => [is('record_type', openTypes(ctx))],
});

const openTypes = ({ app: { plugins }, actor }: Context): string[] =>
  plugins.flatMap(({ console: part }) => part?.records.filter(canOpen(plugins, 'console', actor)) ?? []).map(typeOf);

const typeOf = ({ type }: { readonly type: string }) => type;

function statusIn({ status }: Changes): string | null {
  const after = status?.[1];
  return typeof after === 'string' ? after : null;
}
