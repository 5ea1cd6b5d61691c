import { id, ref, table, text, when, type Row } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import { Team } from '../teams/entities.ts';

/** A technician who is on call in place of the one on the rota. */
export const RotaOverride = table(
  'rota_override',
  {
    override_id: id(),
    team_id: ref(Team),
    user_id: ref(Technician),
    starts_at: when(),
    ends_at: when(),
    note: text(255).default(''),
    created_at: when(),
  },
  [
    ['starts_at', 'override_id'],
    ['team_id', 'starts_at', 'override_id'],
  ],
);
export type RotaOverride = Row<typeof RotaOverride>;
