// Ticket attachments, by drop, paste or camera. Files are uploaded before the reply is sent.
import { fileSize, hrefOf, Icon, sendFiles, toast, useItem, type Attachment, t } from '@keelson/web';
import type { Ticket } from './change.tsx';

const LIST = 'GET /tickets.php?action=attachments&id={id}';
const SEND = 'POST /tickets.php?action=attachments&id={id}';
const ONE = 'GET /tickets.php?action=attachment&id={id}&attachment_id={attachment_id}';

/** Uploads files to a ticket and reports refusals. Returns true on success. */
export async function uploadFiles(id: number, files: readonly File[]): Promise<boolean> {
  if (files.length === 0) return true;
  if (!(await sendFiles(SEND, { args: { id }, files, touches: '/tickets.php' }))) return false;
  toast(
    files.length === 1
      ? t('{name} attached', { name: files[0]?.name ?? t('File') })
      : t('{count} files attached', { count: files.length }),
  );
  return true;
}

/** Attaches files to the note just stored, so that they are internal too. */
export async function attachToNote({ ticket_id: id, comments }: Ticket, files: readonly File[]): Promise<void> {
  const newest = Math.max(...comments.filter((each) => each.is_internal).map((each) => each.comment_id));
  await sendFiles(SEND, { args: { id }, files, fields: { comment_id: String(newest) }, touches: '/tickets.php' });
}

export function Files({ ticket: { ticket_id: id } }: { ticket: Pick<Ticket, 'ticket_id'> }) {
  const files: readonly Attachment[] = useItem(LIST, { id }).data ?? [];
  if (files.length === 0) return null;
  return (
    <ul className="files" aria-label={t('Files')}>
      {files.map(({ attachment_id, filename, size }) => (
        <li key={attachment_id}>
          <a href={hrefOf(ONE, { id, attachment_id })} download={filename}>
            <Icon name="paperclip" size={14} /> {filename} <span className="tone-muted">{fileSize(size)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
