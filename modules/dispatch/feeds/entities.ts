import { choice, flag, id, int, ref, table, text, when, type Row } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';

export const feedKinds = ['own', 'team', 'on_call'] as const;

/** A calendar that programs read at a secret address. Deleting it revokes the address. */
export const CalendarFeed = table(
  'calendar_feed',
  {
    feed_id: id(),
    /** Whose feed it is; only they see the address. */
    user_id: ref(Technician),
    kind: choice(...feedKinds),
    /** For `team` and `on_call`; of the module of teams. */
    team_id: int().nullable(),
    /** Shows when, but not what. */
    busy_only: flag().default(false),
    /** Part of the address, so that no later feed has the same one. */
    nonce: text(40).hidden(),
    created_at: when(),
  },
  [['user_id', 'feed_id']],
);
export type CalendarFeed = Row<typeof CalendarFeed>;
