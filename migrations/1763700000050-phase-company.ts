// Adds the company to phases, so that its people receive change events.
import { migration } from '../core/database/migrate.ts';
import { int } from '../core/database/table.ts';

const filled = `UPDATE project_phase SET company_number =
  (SELECT project.company_number FROM project WHERE project.project_id = project_phase.project_id)`;

export default migration('1763700000050-phase-company', async (m) => {
  await m.addColumn('project_phase', 'company_number', int().default(0));
  await m.statement({ sqlite: filled, mysql: filled });
});
