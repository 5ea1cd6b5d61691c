// Initial attachment tables. Later changes are separate migrations.
import { migration } from '../core/database/migrate.ts';
import { big, choice, id, int, key, text, when } from '../core/database/table.ts';

export default migration('1763700000014-files', async (m) => {
  await m.createTable(
    'attachment',
    {
      attachment_id: id(),
      record_type: key(64),
      record_id: int(),
      part_id: int().nullable(),
      company_number: int().default(0),
      filename: text(255),
      content_type: text(127),
      size: big(),
      sha256: key(64),
      stored_as: key(64).unique(),
      author_type: choice('technician', 'employee', 'api', 'system', 'assistant'),
      author_id: int().nullable(),
      author_name: text(255),
      created_at: when(),
    },
    [['record_type', 'record_id', 'attachment_id']],
  );
  await m.createTable('attachment_use', { company_number: int().primary(), files: int(), bytes: big() });
});
