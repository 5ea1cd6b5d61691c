// Reply form of a portal ticket. Unsent text is kept as a draft.
import {
  Button,
  FilesButton,
  KeptFiles,
  toast,
  toastError,
  useChange,
  useDraft,
  useKeys,
  useUploads,
  t,
} from '@keelson/web';
import { useState } from 'react';
import { uploadFiles } from './files.tsx';

export function Answer({ id, closed }: { id: number; closed: boolean }) {
  const [text, setText, sent] = useDraft(`ticket/${id}/comment`);
  const comment = useChange('POST /tickets/{id}/comments', {
    touches: ['/tickets'],
    done: (_, { body }) => {
      sent(body.comment);
      toast(t('Sent'));
    },
  });
  const uploads = useUploads((files) => uploadFiles(id, files));
  const [waiting, setWaiting] = useState(false);
  const busy = waiting || comment.isPending;
  const send = async () => {
    if (!text.trim() || busy) return;
    setWaiting(true);
    const attached = await uploads.settle();
    setWaiting(false);
    if (attached === false)
      return toastError(new Error(t('The reply was not sent, because its file could not be attached.')));
    comment.mutate({ id, body: { comment: text.trim() } });
  };
  useKeys([{ keys: 'Mod+Enter', title: t('Send'), run: () => void send(), inFields: true }]);
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
        onPaste={(event) => uploads.add([...event.clipboardData.files])}
      />
      <KeptFiles of={uploads} />
      <div className="actions">
        <FilesButton look="quiet" onFiles={uploads.add} />
        <Button look="primary" icon="send" onClick={() => void send()} disabled={!text.trim() || busy}>
          {t('Send')}
        </Button>
      </div>
    </div>
  );
}
