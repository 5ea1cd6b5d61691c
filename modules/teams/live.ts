import { liveRecord } from '@keelson/core';
import { Absence } from './absences/entities.ts';
import { EscalationStep } from './escalation/entities.ts';
import { TeamMember } from './members/entities.ts';
import { ReadTeams } from './permissions.ts';
import { RotaOverride } from './rota/entities.ts';
import { Team } from './teams/entities.ts';

export default [
  liveRecord(Team, { admin: ReadTeams }),
  liveRecord(TeamMember, { admin: ReadTeams }),
  liveRecord(EscalationStep, { admin: ReadTeams }),
  liveRecord(RotaOverride, { admin: ReadTeams }),
  liveRecord(Absence, { admin: ReadTeams }),
];
