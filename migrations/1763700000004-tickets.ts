// Initial ticket tables. Later changes are separate migrations.
import { migration, type Migrator } from '../core/database/migrate.ts';
import { choice, day, flag, id, int, key, ref, text, when } from '../core/database/table.ts';

export default migration('1763700000004-tickets', async (m) => {
  await createTickets(m);
  await createParts(m);
  await createCounts(m);
});

async function createTickets(m: Migrator): Promise<void> {
  await m.createTable(
    'ticket',
    {
      ticket_id: id(),
      ticket_number: int().unique(),
      subject: text(255),
      description: text().default(''),
      status: choice('open', 'in_progress', 'on_hold', 'closed').default('open'),
      priority: int().default(3),
      job_type: text(255),
      company_number: ref('company.company_number'),
      site_number: ref('site.site_number').nullable(),
      requester_employee_number: ref('employee.employee_number').nullable(),
      assigned_to: ref('technician.user_id').nullable(),
      approval_status: choice('none', 'pending', 'approved', 'rejected').default('none'),
      source: choice('portal', 'admin', 'chat', 'widget', 'workflow', 'restore'),
      created_at: when(),
      updated_at: when(),
      closed_at: when().nullable(),
      deleted_at: when().nullable(),
    },
    [
      ['company_number', 'status', 'created_at', 'ticket_id', 'deleted_at'],
      ['company_number', 'created_at', 'ticket_id', 'deleted_at'],
      ['status', 'created_at', 'ticket_id', 'deleted_at'],
      ['status', 'ticket_id', 'deleted_at'],
      ['ticket_id', 'status', 'deleted_at'],
      ['created_at', 'ticket_id', 'deleted_at'],
      ['assigned_to', 'status', 'created_at', 'ticket_id', 'deleted_at'],
      ['site_number', 'created_at', 'ticket_id', 'deleted_at'],
      ['requester_employee_number', 'created_at', 'ticket_id', 'deleted_at'],
      ['updated_at', 'ticket_id', 'status', 'deleted_at'],
      ['closed_at', 'ticket_id', 'status', 'deleted_at'],
      ['status', 'closed_at', 'ticket_id', 'deleted_at'],
      ['priority', 'created_at', 'ticket_id', 'status', 'deleted_at'],
      ['job_type', 'created_at', 'ticket_id', 'status', 'deleted_at'],
      ['subject', 'ticket_id', 'status', 'deleted_at'],
    ],
  );
}

async function createParts(m: Migrator): Promise<void> {
  await m.createTable(
    'ticket_comment',
    {
      comment_id: id(),
      ticket_id: ref('ticket.ticket_id'),
      comment: text(),
      author_type: choice('technician', 'employee', 'api', 'system', 'assistant'),
      author_id: int().nullable(),
      author_name: text(255),
      is_internal: flag().default(false),
      created_at: when(),
    },
    [['ticket_id', 'created_at', 'comment_id']],
  );
  await m.createTable(
    'ticket_time_entry',
    {
      time_entry_id: id(),
      ticket_id: ref('ticket.ticket_id'),
      user_id: ref('technician.user_id').nullable(),
      user_name: text(255),
      duration_minutes: int(),
      description: text().default(''),
      billable: flag().default(true),
      work_date: day(),
      created_at: when(),
    },
    [['ticket_id', 'created_at', 'time_entry_id'], ['user_id']],
  );
  await m.createTable(
    'ticket_asset',
    { ticket_id: ref('ticket.ticket_id').primary(), asset_id: int().primary(), created_at: when() },
    [['asset_id', 'ticket_id']],
  );
}

async function createCounts(m: Migrator): Promise<void> {
  const company = int();
  const status = text(40);
  await m.createTable('ticket_count', {
    company_number: company.primary(),
    status: status.primary(),
    priority: int().primary(),
    n: int(),
  });
  await m.createTable('ticket_count_month', {
    company_number: company.primary(),
    status: status.primary(),
    priority: int().primary(),
    month: key(7).primary(),
    n: int(),
  });
  await m.createTable('ticket_count_day', {
    day: day().primary(),
    status: status.primary(),
    priority: int().primary(),
    n: int(),
  });
  await m.createTable('ticket_count_delta', {
    delta_id: id(),
    company_number: company,
    status,
    priority: int(),
    day: day(),
    n: int(),
  });
  await m.createTable('ticket_assignee_count', {
    assigned_to: int().primary(),
    status: status.primary(),
    n: int(),
  });
  await m.createTable('ticket_assignee_count_delta', { delta_id: id(), assigned_to: int(), status, n: int() });
  const job_type = text(255);
  const byJobType = { job_type: job_type.primary(), status: status.primary() };
  await m.createTable('ticket_job_type_count', { ...byJobType, n: int() });
  await m.createTable('ticket_job_type_count_month', { ...byJobType, month: key(7).primary(), n: int() });
  await m.createTable('ticket_job_type_count_day', { day: day().primary(), status: status.primary(), n: int() });
  await m.createTable('ticket_job_type_count_delta', { delta_id: id(), job_type, status, day: day(), n: int() });
  const requester_employee_number = int();
  await m.createTable('ticket_requester_count', {
    requester_employee_number: requester_employee_number.primary(),
    status: status.primary(),
    n: int(),
  });
  await m.createTable('ticket_requester_count_delta', { delta_id: id(), requester_employee_number, status, n: int() });
}
