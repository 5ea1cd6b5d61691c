import { admin, input, nounRoutes } from '@keelson/core';
import { ReadTickets, WriteTickets } from '@keelson/modules/tickets';
import { projectFields } from '../../inputs.ts';
import { ProjectDetail, readProject } from '../../projects/project-detail.ts';
import { ProjectItem } from '../../projects/project-list.ts';
import { createProject, lockProject, Projects } from '../../projects/projects.ts';

export default nounRoutes(admin, '/projects.php?id={id}', Projects, {
  titles: {
    list: 'List projects',
    create: 'Create a project',
    read: 'Read a project',
    update: 'Update a project',
    delete: 'Delete a project',
  },
  read: ReadTickets,
  write: WriteTickets,
  addition: true,
  view: ProjectItem,
  detail: { shape: ProjectDetail, show: readProject },
  fields: { company_number: input.id(), ...projectFields },
  create: createProject,
  lock: lockProject,
});
