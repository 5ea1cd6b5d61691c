import { fileSize, hrefOf, Icon, sendFiles, useItem, type Attachment, t } from '@keelson/web';

/** Uploads files to a ticket and reports refusals. */
export const sendToTicket = (id: number, files: readonly File[]): Promise<boolean> =>
  sendFiles('POST /tickets/{id}/attachments', { args: { id }, files, touches: '/tickets' });

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
