// The tables of the module chat.
import { migration } from '../packages/database/migration/migrate.ts';
import { id, int, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1763600000015-chat', async (m) => {
  await m.createTable(
    'chat',
    {
      chat_id: id(),
      source: text(40),
      company_number: ref('company.company_number').nullable(),
      employee_number: ref('employee.employee_number').nullable(),
      person_name: text(255),
      page_url: text(2048).default(''),
      status: text(40).default('active'),
      topic: text(80).default(''),
      ticket_id: ref('ticket.ticket_id').nullable(),
      seen_comment_id: int().default(0),
      agent_id: ref('technician.user_id').nullable(),
      messages: int().default(0),
      last_message_at: when().nullable(),
      started_at: when(),
      requested_at: when().nullable(),
      answered_at: when().nullable(),
      waited_seconds: int().nullable(),
      last_active_at: when(),
      ended_at: when().nullable(),
    },
    [
      ['employee_number', 'status', 'last_active_at'],
      ['company_number', 'started_at', 'chat_id'],
      ['status', 'requested_at', 'chat_id'],
      ['status', 'last_active_at'],
      ['ended_at'],
      ['started_at', 'chat_id'],
      ['ticket_id'],
    ],
  );
  await m.createTable(
    'chat_message',
    {
      message_id: id(),
      chat_id: ref('chat.chat_id'),
      sender_type: text(40),
      sender_name: text(255).default(''),
      message: text(),
      comment_id: int().unique().nullable(),
      answer_due_at: when().nullable(),
      created_at: when(),
    },
    [['chat_id', 'created_at', 'message_id'], ['answer_due_at']],
  );
});
