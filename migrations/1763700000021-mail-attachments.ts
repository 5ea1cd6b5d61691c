// Adds mail attachments.
import { migration } from '../core/database/migrate.ts';
import { key, text, when } from '../core/database/table.ts';

export default migration('1763700000021-mail-attachments', async (m) => {
  await m.createTable(
    'mail_attachment',
    { attachment_id: key(40).primary(), name: text(255), type: text(100), content: text(), created_at: when() },
    [['created_at']],
  );
  await m.addColumn('mail', 'attachment_id', key(40).nullable());
});
