// Adds assignee and due date to checklist items.
import { migration } from '../packages/database/migration/migrate.ts';
import { day, ref } from '../packages/database/schema/table.ts';

export default migration('1795746918781-checklist-tasks', async (m) => {
  await m.addColumn('ticket_checklist_item', 'assigned_to', ref('technician.user_id').nullable());
  await m.addColumn('ticket_checklist_item', 'due_date', day().nullable());
  await m.addIndex('ticket_checklist_item', ['assigned_to', 'done_at', 'due_date', 'item_id']);
});
