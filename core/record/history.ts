// The history of one record: its activity log entries, for anyone who may read the record. The origin and the request
// of an entry are for administrators only.
import { z } from 'zod';
import { ActivityLine } from '../log/activity.ts';
import { by } from '../list/list.ts';
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
