export { Absence } from './absences/entities.ts';
export { createAbsence } from './absences/absences.ts';
export { TeamTicketAnswered } from './events.ts';
export { TeamMember } from './members/entities.ts';
export { createMember } from './members/members.ts';
export { Team } from './teams/entities.ts';
export { createTeam } from './teams/teams.ts';
