import { choice, flag, id, int, ref, table, text, when, type Row } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';

export const feedKinds = ['own', 'team', 'on_call'] as const;

/** A calendar feed at a secret URL. Deleting it revokes the URL. */
export const CalendarFeed = table(
  'calendar_feed',
  {
    feed_id: id(),
    /** The owner; only they can see the URL. */
    user_id: ref(Technician),
    kind: choice(...feedKinds),
    /** Set for `team` and `on_call` feeds; refers to the teams module. */
    team_id: int().nullable(),
    /** Shows only busy times, no details. */
    busy_only: flag().default(false),
    /** Part of the URL, so that no later feed reuses it. */
    nonce: text(40).hidden(),
    created_at: when(),
  },
  [['user_id', 'feed_id']],
);
export type CalendarFeed = Row<typeof CalendarFeed>;
