// The tables of the module tickets.
import { migration } from '../packages/database/migration/migrate.ts';
import { big, day, flag, id, int, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1763600000004-tickets', async (m) => {
  await m.createTable(
    'ticket',
    {
      ticket_id: id(),
      ticket_number: int().unique(),
      subject: text(255),
      description: text(),
      status: text(40).default('open'),
      priority: int().default(3),
      job_type: text(255),
      company_number: ref('company.company_number'),
      site_number: ref('site.site_number').nullable(),
      requester_employee_number: ref('employee.employee_number').nullable(),
      assigned_to: ref('technician.user_id').nullable(),
      approval_status: text(40).default('none'),
      source: text(40),
      created_at: when(),
      updated_at: when(),
      closed_at: when().nullable(),
      waiting_since: when().nullable(),
      last_comment_by: text(40).nullable(),
      deleted_at: when().nullable(),
    },
    [
      ['company_number', 'status', 'created_at', 'ticket_id', 'deleted_at'],
      ['company_number', 'created_at', 'ticket_id', 'deleted_at'],
      ['status', 'created_at', 'ticket_id', 'deleted_at'],
      ['status', 'ticket_id', 'deleted_at'],
      ['ticket_id', 'status', 'deleted_at'],
      ['created_at', 'ticket_id', 'status', 'assigned_to', 'deleted_at'],
      ['assigned_to', 'status', 'created_at', 'ticket_id', 'deleted_at'],
      ['site_number', 'created_at', 'ticket_id', 'deleted_at'],
      ['requester_employee_number', 'created_at', 'ticket_id', 'deleted_at'],
      ['requester_employee_number', 'closed_at', 'ticket_id', 'deleted_at'],
      ['updated_at', 'ticket_id', 'status', 'deleted_at'],
      ['closed_at', 'ticket_id', 'status', 'deleted_at'],
      ['status', 'closed_at', 'ticket_id', 'deleted_at'],
      ['priority', 'created_at', 'ticket_id', 'status', 'deleted_at'],
      ['job_type', 'created_at', 'ticket_id', 'status', 'deleted_at'],
      ['subject', 'ticket_id', 'status', 'deleted_at'],
    ],
  );
  await m.createTable(
    'ticket_comment',
    {
      comment_id: id(),
      ticket_id: ref('ticket.ticket_id'),
      comment: text(),
      author_type: text(40),
      author_id: int().nullable(),
      author_name: text(255),
      is_internal: flag().default(false),
      created_at: when(),
      edited_at: when().nullable(),
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
      description: text(),
      billable: flag().default(true),
      work_date: day(),
      created_at: when(),
      company_number: int().default(0),
      corrects_id: int().nullable(),
    },
    [
      ['ticket_id', 'created_at', 'time_entry_id'],
      ['user_id'],
      ['company_number', 'work_date', 'time_entry_id'],
      ['corrects_id'],
    ],
  );
  await m.createTable(
    'ticket_asset',
    {
      ticket_id: ref('ticket.ticket_id').primary(),
      asset_id: int().primary(),
      created_at: when(),
    },
    [['asset_id', 'ticket_id']],
  );
  await m.createTable(
    'ticket_merge',
    {
      ticket_id: int().primary(),
      into_id: int(),
      merged_at: when(),
    },
    [['into_id']],
  );
  await m.createTable(
    'ticket_read',
    {
      read_id: id(),
      user_id: int(),
      ticket_id: int(),
      seen_at: when(),
    },
    [['seen_at']],
    { unique: [['user_id', 'ticket_id']] },
  );
  await m.createTable(
    'ticket_mail',
    {
      mail_id: key(40).primary(),
      ticket_id: ref('ticket.ticket_id'),
      created_at: when(),
    },
    [['ticket_id', 'created_at']],
  );
  await m.createTable('ticket_count', {
    company_number: int().primary(),
    status: text(40).primary(),
    priority: int().primary(),
    n: int(),
  });
  await m.createTable('ticket_count_month', {
    company_number: int().primary(),
    status: text(40).primary(),
    priority: int().primary(),
    month: key(7).primary(),
    n: int(),
  });
  await m.createTable('ticket_count_day', {
    day: day().primary(),
    status: text(40).primary(),
    priority: int().primary(),
    n: int(),
  });
  await m.createTable('ticket_count_delta', {
    delta_id: id(),
    company_number: int(),
    status: text(40),
    priority: int(),
    day: day(),
    n: int(),
  });
  await m.createTable('ticket_assignee_count', {
    assigned_to: int().primary(),
    status: text(40).primary(),
    n: int(),
  });
  await m.createTable('ticket_assignee_count_delta', {
    delta_id: id(),
    assigned_to: int(),
    status: text(40),
    n: int(),
  });
  await m.createTable('ticket_job_type_count', {
    job_type: text(255).primary(),
    status: text(40).primary(),
    n: int(),
  });
  await m.createTable('ticket_job_type_count_month', {
    job_type: text(255).primary(),
    status: text(40).primary(),
    month: key(7).primary(),
    n: int(),
  });
  await m.createTable('ticket_job_type_count_day', {
    day: day().primary(),
    status: text(40).primary(),
    n: int(),
  });
  await m.createTable('ticket_job_type_count_delta', {
    delta_id: id(),
    job_type: text(255),
    status: text(40),
    day: day(),
    n: int(),
  });
  await m.createTable('ticket_requester_count', {
    requester_employee_number: int().primary(),
    status: text(40).primary(),
    priority: int().primary(),
    n: int(),
  });
  await m.createTable('ticket_requester_count_delta', {
    delta_id: id(),
    requester_employee_number: int(),
    status: text(40),
    priority: int(),
    n: int(),
  });
  await m.createTable('ticket_pending_count', {
    company_number: int().primary(),
    requester_employee_number: int().primary(),
    n: int(),
  });
  await m.createTable('ticket_pending_count_delta', {
    delta_id: id(),
    company_number: int(),
    requester_employee_number: int(),
    n: int(),
  });
  await m.createTable('ticket_closed_count', {
    company_number: int().primary(),
    in_time: int().primary(),
    n: int(),
  });
  await m.createTable('ticket_closed_count_month', {
    company_number: int().primary(),
    in_time: int().primary(),
    month: key(7).primary(),
    n: int(),
  });
  await m.createTable('ticket_closed_count_day', {
    company_number: int().primary(),
    day: day().primary(),
    in_time: int().primary(),
    n: int(),
  });
  await m.createTable('ticket_closed_count_delta', {
    delta_id: id(),
    company_number: int(),
    in_time: int(),
    day: day(),
    n: int(),
  });
  await m.createTable('ticket_open_time', {
    company_number: int().primary(),
    in_time: int().primary(),
    n: big(),
  });
  await m.createTable('ticket_open_time_month', {
    company_number: int().primary(),
    in_time: int().primary(),
    month: key(7).primary(),
    n: big(),
  });
  await m.createTable('ticket_open_time_day', {
    company_number: int().primary(),
    day: day().primary(),
    in_time: int().primary(),
    n: big(),
  });
  await m.createTable('ticket_open_time_delta', {
    delta_id: id(),
    company_number: int(),
    in_time: int(),
    day: day(),
    n: big(),
  });
});
