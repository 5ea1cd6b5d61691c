import { id, int, json, ref, table, text, when, z, type Row } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import { Team } from '../teams/entities.ts';

/** A technician of a team. */
export const TeamMember = table(
  'team_member',
  {
    member_id: id(),
    team_id: ref(Team),
    user_id: ref(Technician),
    /** In lower case, in alphabetical order. */
    skills: json(z.array(z.string())),
    /** The place in the on-call rota, by the week; null for none. */
    rota_position: int().nullable(),
    /** The number for text messages, in international form; empty for none. */
    mobile: text(20).default(''),
    /** The team's `turn` at their last assignment by rule. The lowest is next. */
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
