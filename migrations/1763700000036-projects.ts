// Initial project tables. Later changes are separate migrations.
import { migration, type Migrator } from '../core/database/migrate.ts';
import { big, choice, day, id, int, ref, text, when, type Columns } from '../core/database/table.ts';

export default migration('1763700000036-projects', async (m) => {
  await createProjects(m);
  await createMilestones(m);
  await createPunchList(m);
});

async function createProjects(m: Migrator): Promise<void> {
  await m.createTable(
    'project',
    {
      project_id: id(),
      company_number: ref('company.company_number'),
      name: text(255),
      description: text().default(''),
      status: choice('planning', 'active', 'on_hold', 'completed', 'cancelled').default('planning'),
      project_manager_id: ref('technician.user_id').nullable(),
      start_date: day().nullable(),
      due_date: day().nullable(),
      completed_at: day().nullable(),
      notes: text().default(''),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['company_number', 'status', 'created_at', 'project_id', 'deleted_at'],
      ['company_number', 'created_at', 'project_id', 'deleted_at'],
      ['status', 'created_at', 'project_id', 'deleted_at'],
      ['created_at', 'project_id', 'deleted_at'],
    ],
  );
  await createCounter(m, 'project_count', { company_number: int(), status: text(40) });
  await m.createTable(
    'project_phase',
    {
      phase_id: id(),
      project_id: ref('project.project_id'),
      name: text(255),
      description: text().default(''),
      sort_order: int().default(0),
      status: choice('pending', 'active', 'completed').default('pending'),
      start_date: day().nullable(),
      due_date: day().nullable(),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [['project_id', 'sort_order', 'phase_id']],
  );
}

async function createMilestones(m: Migrator): Promise<void> {
  await m.createTable(
    'milestone',
    {
      milestone_id: id(),
      project_id: ref('project.project_id'),
      company_number: ref('company.company_number'),
      phase_id: ref('project_phase.phase_id').nullable(),
      name: text(255),
      description: text().default(''),
      due_date: day().nullable(),
      status: choice('pending', 'pending_approval', 'approved', 'rejected', 'info_requested').default('pending'),
      amount_minor: big().nullable(),
      notes: text().default(''),
      requested_at: when().nullable(),
      decided_at: when().nullable(),
      decided_by: text(255).nullable(),
      rejection_reason: text().nullable(),
      info_request: text().nullable(),
      awaited_on: day().nullable(),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['project_id', 'milestone_id', 'deleted_at'],
      ['project_id', 'awaited_on', 'deleted_at'],
      ['company_number', 'status', 'requested_at', 'milestone_id', 'deleted_at'],
      ['company_number', 'milestone_id', 'deleted_at'],
      ['phase_id', 'milestone_id'],
    ],
  );
  await createCounter(m, 'milestone_count', { project_id: int(), status: text(40) });
  await m.createTable(
    'milestone_step',
    {
      step_id: id(),
      milestone_id: ref('milestone.milestone_id'),
      action: choice('submitted', 'answered', 'approved', 'rejected', 'info_requested'),
      comment: text().default(''),
      author_name: text(255),
      created_at: when(),
    },
    [['milestone_id', 'step_id']],
  );
}

async function createPunchList(m: Migrator): Promise<void> {
  await m.createTable(
    'punch_item',
    {
      item_id: id(),
      project_id: ref('project.project_id'),
      company_number: ref('company.company_number'),
      title: text(255),
      description: text(),
      location: text(255).default(''),
      priority: choice('low', 'medium', 'high').default('medium'),
      status: choice('open', 'in_progress', 'ready_for_review', 'closed').default('open'),
      submitted_by: text(255),
      submitter_number: ref('employee.employee_number').nullable(),
      assigned_to: text(255).nullable(),
      feedback: text().nullable(),
      characters: int(),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['project_id', 'item_id', 'deleted_at'],
      ['project_id', 'status', 'item_id', 'deleted_at'],
      ['company_number', 'item_id', 'deleted_at'],
    ],
  );
  await m.createTable(
    'punch_response',
    {
      response_id: id(),
      item_id: ref('punch_item.item_id'),
      response: text(),
      author_name: text(255),
      created_at: when(),
    },
    [['item_id', 'response_id']],
  );
}

async function createCounter(m: Migrator, name: string, dimensions: Columns): Promise<void> {
  const keys = Object.fromEntries(Object.entries(dimensions).map(([each, column]) => [each, column.primary()]));
  await m.createTable(name, { ...keys, n: int() });
  await m.createTable(`${name}_delta`, { delta_id: id(), ...dimensions, n: int() });
}
