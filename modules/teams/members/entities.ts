import { id, int, json, ref, table, text, when, z, type Row } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import { Team } from '../teams/entities.ts';

/** A technician's membership in a team. */
export const TeamMember = table(
  'team_member',
  {
    member_id: id(),
    team_id: ref(Team),
    user_id: ref(Technician),
    /** Lowercase, in alphabetical order. */
    skills: json(z.array(z.string())),
    /** Position in the weekly on-call rota; null if not part of it. */
    rota_position: int().nullable(),
    /** Mobile number in international format; empty for none. */
    mobile: text(20).default(''),
    /** The team's `turn` when the member was last assigned a ticket by rule. The lowest is next. */
    turn: int().default(0).hidden(),
    created_at: when(),
  },
  [
    ['team_id', 'member_id'],
    ['user_id', 'member_id'],
  ],
  { unique: [['team_id', 'user_id']] },
);
export type TeamMember = Row<typeof TeamMember>;
