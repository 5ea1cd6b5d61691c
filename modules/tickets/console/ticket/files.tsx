// Ticket attachments, by drop, paste or camera. Files are uploaded before the reply is sent.
import { fileSize, hrefOf, Icon, sendEach, toast, useItem, type Attachment, type KeptFile, t } from '@keelson/web';
import type { Ticket } from './change.tsx';

const LIST = 'GET /tickets.php?action=attachments&id={id}';
const SEND = 'POST /tickets.php?action=attachments&id={id}';
const ONE = 'GET /tickets.php?action=attachment&id={id}&attachment_id={attachment_id}';

/** Uploads files to a ticket; returns those that were refused. */
export async function uploadFiles(id: number, files: readonly File[]): Promise<readonly KeptFile[]> {
  const refused = await sendEach(SEND, { args: { id }, files, touches: '/tickets.php' });
  const attached = files.filter((each) => !refused.some(({ file }) => file === each));
  if (attached.length > 0)
    toast(
      attached.length === 1
        ? t('{name} attached', { name: attached[0]?.name ?? t('File') })
        : t('{count} files attached', { count: attached.length }),
    );
  return refused;
}

/** Attaches files to the note just stored, so that they are internal too; returns those that were refused. */
export function attachToNote(
  { ticket_id: id, comments }: Ticket,
  files: readonly File[],
): Promise<readonly KeptFile[]> {
  const newest = Math.max(...comments.filter((each) => each.is_internal).map((each) => each.comment_id));
  return sendEach(SEND, { args: { id }, files, fields: { comment_id: String(newest) }, touches: '/tickets.php' });
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
