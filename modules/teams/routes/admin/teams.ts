import { admin, administrators, nounRoutes } from '@keelson/core';
import { AbsenceItem, Absences, changeAbsence, createAbsence } from '../../absences/absences.ts';
import { absenceFields, newAbsenceFields } from '../../absences/fields.ts';
import { memberFields, newMemberFields } from '../../members/fields.ts';
import { changeMember, createMember, MemberItem, Members } from '../../members/members.ts';
import { ReadTeams, WriteTeams } from '../../permissions.ts';
import { teamFields } from '../../teams/fields.ts';
import { changeTeam, createTeam, removeTeam, TeamItem, Teams } from '../../teams/teams.ts';

const Manage = administrators(WriteTeams);

export default [
  ...nounRoutes(admin, '/teams.php?id={id}', Teams, {
    addition: true,
    titles: {
      list: 'List teams',
      create: 'Create a team',
      read: 'Read a team',
      update: 'Change a team',
      delete: 'Delete a team',
    },
    read: ReadTeams,
    write: Manage,
    view: TeamItem,
    fields: teamFields,
    create: createTeam,
    change: changeTeam,
    remove: removeTeam,
  }),
  ...nounRoutes(admin, '/teams/members.php?id={id}', Members, {
    addition: true,
    titles: {
      list: 'List members of teams',
      create: 'Add a technician to a team',
      read: 'Read a member of a team',
      update: 'Change a member of a team',
      delete: 'Remove a technician from a team',
    },
    read: ReadTeams,
    write: Manage,
    view: MemberItem,
    fields: memberFields,
    newFields: newMemberFields,
    create: createMember,
    change: changeMember,
  }),
  ...nounRoutes(admin, '/teams/absences.php?id={id}', Absences, {
    addition: true,
    titles: {
      list: 'List absences of technicians',
      create: 'Add an absence of a technician',
      read: 'Read an absence',
      update: 'Change an absence',
      delete: 'Delete an absence',
    },
    read: ReadTeams,
    write: WriteTeams,
    view: AbsenceItem,
    fields: absenceFields,
    newFields: newAbsenceFields,
    create: createAbsence,
    change: changeAbsence,
  }),
];
