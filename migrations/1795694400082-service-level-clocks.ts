// Adds the clocks of measured tickets, and whether a ticket was resolved within its service level.
import { migration } from '../packages/database/migration/migrate.ts';
import { big, choice, day, flag, int, ref, when } from '../packages/database/schema/table.ts';

export default migration('1795694400082-service-level-clocks', async (m) => {
  await m.addColumn('ticket', 'target_met', flag().nullable());
  await m.createTable(
    'level_ticket',
    {
      ticket_id: ref('ticket.ticket_id').primary(),
      policy_id: ref('level_policy.policy_id').nullable(),
      is_open: flag(),
      next_at: when().nullable(),
    },
    [
      ['next_at', 'ticket_id'],
      ['policy_id', 'is_open'],
    ],
  );
  await m.createTable('level_step', {
    ticket_id: ref('ticket.ticket_id').primary(),
    step: int().primary(),
    at: when(),
    status: choice('open', 'in_progress', 'on_hold', 'closed'),
    pending: flag(),
    waiting: flag(),
    last_comment_by: choice('customer', 'technician').nullable(),
    replied: flag(),
  });
  await m.createTable(
    'level_clock',
    {
      ticket_id: ref('ticket.ticket_id').primary(),
      kind: choice('response', 'next_response', 'resolution').primary(),
      round: int().primary(),
      policy_id: ref('level_policy.policy_id'),
      company_number: ref('company.company_number'),
      started_at: when(),
      started_on: day(),
      target_minutes: int(),
      consumed_ms: big(),
      paused_since: when().nullable(),
      due_at: when().nullable(),
      warned: int().default(0),
      breached_at: when().nullable(),
      announced: flag().default(false),
      met_at: when().nullable(),
    },
    [
      ['met_at', 'due_at', 'ticket_id'],
      ['policy_id', 'started_on'],
      ['company_number', 'started_on'],
      ['started_on', 'policy_id'],
    ],
  );
});
