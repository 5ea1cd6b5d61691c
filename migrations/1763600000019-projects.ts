// The tables of the module projects.
import { migration } from '../packages/database/migration/migrate.ts';
import { big, day, id, int, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1763600000019-projects', async (m) => {
  await m.createTable(
    'project',
    {
      project_id: id(),
      company_number: ref('company.company_number'),
      name: text(255),
      description: text(),
      status: text(40).default('planning'),
      project_manager_id: ref('technician.user_id').nullable(),
      start_date: day().nullable(),
      due_date: day().nullable(),
      completed_at: day().nullable(),
      notes: text(),
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
  await m.createTable(
    'project_phase',
    {
      phase_id: id(),
      project_id: ref('project.project_id'),
      company_number: int().default(0),
      name: text(255),
      description: text(),
      sort_order: int().default(0),
      status: text(40).default('pending'),
      start_date: day().nullable(),
      due_date: day().nullable(),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [['project_id', 'sort_order', 'phase_id']],
  );
  await m.createTable(
    'milestone',
    {
      milestone_id: id(),
      project_id: ref('project.project_id'),
      company_number: ref('company.company_number'),
      phase_id: ref('project_phase.phase_id').nullable(),
      name: text(255),
      description: text(),
      due_date: day().nullable(),
      status: text(40).default('pending'),
      amount_minor: big().nullable(),
      notes: text(),
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
  await m.createTable(
    'milestone_step',
    {
      step_id: id(),
      milestone_id: ref('milestone.milestone_id'),
      action: text(40),
      comment: text(),
      author_name: text(255),
      created_at: when(),
    },
    [['milestone_id', 'step_id']],
  );
  await m.createTable(
    'punch_item',
    {
      item_id: id(),
      project_id: ref('project.project_id'),
      company_number: ref('company.company_number'),
      title: text(255),
      description: text(),
      location: text(255).default(''),
      priority: text(40).default('medium'),
      status: text(40).default('open'),
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
});
