// Reply form of a portal ticket. Unsent text is kept as a draft.
import { Button, FilesButton, toast, useChange, useDraft, useKeys, t } from '@keelson/web';
import { sendToTicket } from './files.tsx';

export function Answer({ id, closed }: { id: number; closed: boolean }) {
  const [text, setText, sent] = useDraft(`ticket/${id}/comment`);
  const comment = useChange('POST /tickets/{id}/comments', {
    touches: ['/tickets'],
    done: (_, { body }) => {
      sent(body.comment);
      toast(t('Sent'));
    },
  });
  const send = () => {
    if (text.trim() && !comment.isPending) comment.mutate({ id, body: { comment: text.trim() } });
  };
  useKeys([{ keys: 'Mod+Enter', title: t('Send'), run: send, inFields: true }]);
  return (
    <div className="portal-answer">
      <label htmlFor="answer">{closed ? t('Add a comment') : t('Your reply')}</label>
      <textarea
        id="answer"
        className="input"
        rows={4}
        maxLength={50_000}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onPaste={(event) => {
          const files = [...event.clipboardData.files];
          if (files.length > 0) void sendToTicket(id, files);
        }}
      />
      <div className="actions">
        <FilesButton look="quiet" onFiles={(files) => void sendToTicket(id, files)} />
        <Button look="primary" icon="send" onClick={send} disabled={!text.trim() || comment.isPending}>
          {t('Send')}
        </Button>
      </div>
    </div>
  );
}
