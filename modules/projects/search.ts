import { searchable, signedIn, view } from '@keelson/core';
import { Company, CompanyNames } from '@keelson/modules/directory';
import { ReadTickets } from '@keelson/modules/tickets';
import { Milestone, Project } from './entities.ts';
import { milestoneNoun } from './milestones/milestone-list.ts';
import { projectNoun } from './projects/project-list.ts';
import { ownCompany } from './visible.ts';

const ofProject = ['project_id', 'name', 'status'] as const;
const ofMilestone = ['milestone_id', 'project_id', 'name', 'status'] as const;

// The provider's notes are not searched, because a match would reveal their content.
export default [
  searchable(Project, {
    name: ['name'],
    main: ['description'],
    through: { company_number: Company },
    title: ({ name }) => name,
    subtitle: ({ status }) => status,
    found: {
      admin: {
        type: 'projects',
        access: ReadTickets,
        view: view(projectNoun, {
          only: ofProject,
          more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }),
        }),
      },
      helpdesk: {
        type: 'projects',
        access: signedIn,
        view: view(projectNoun, { only: ofProject, visible: ownCompany }),
      },
    },
  }),
  searchable(Milestone, {
    name: ['name'],
    main: ['description'],
    title: ({ name }) => name,
    subtitle: ({ status }) => status,
    found: {
      admin: { type: 'milestones', access: ReadTickets, view: view(milestoneNoun, { only: ofMilestone }) },
      helpdesk: {
        type: 'milestones',
        access: signedIn,
        view: view(milestoneNoun, { only: ofMilestone, visible: ownCompany }),
      },
    },
  }),
];
