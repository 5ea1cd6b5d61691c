import milestones from './admin/milestones.ts';
import phases from './admin/phases.ts';
import projects from './admin/projects.ts';
import punchList from './admin/punch-list.ts';

export default [...projects, ...phases, ...milestones, ...punchList];
