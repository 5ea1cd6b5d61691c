import { fileSize, hrefOf, Icon, sendEach, sendFiles, useItem, type Attachment, type KeptFile, t } from '@keelson/web';

const SEND = 'POST /tickets/{id}/attachments';

/** Uploads files to a ticket and reports refusals. */
export const sendToTicket = (id: number, files: readonly File[]): Promise<boolean> =>
  sendFiles(SEND, { args: { id }, files, touches: '/tickets' });

/** Uploads files to a ticket; returns those that were refused. */
export const uploadFiles = (id: number, files: readonly File[]): Promise<readonly KeptFile[]> =>
  sendEach(SEND, { args: { id }, files, touches: '/tickets' });

export function Files({ id }: { id: number }) {
  const files: readonly Attachment[] = useItem('GET /tickets/{id}/attachments', { id }).data?.attachments ?? [];
  if (files.length === 0) return null;
  return (
    <ul className="ticket-files" aria-label={t('Files')}>
      {files.map(({ attachment_id, filename, size }) => (
        <li key={attachment_id}>
          <a href={hrefOf('GET /tickets/{id}/attachments/{attachment_id}', { id, attachment_id })} download={filename}>
            <Icon name="paperclip" size={14} /> {filename} <span className="tone-muted">{fileSize(size)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
