import {
  addressWith,
  Bones,
  Button,
  call,
  Failed,
  IconButton,
  queries,
  stale,
  toast,
  useChange,
  useChanges,
  useDraft,
  useItem,
  useLocation,
  useMay,
  type Data,
  t,
} from '@keelson/web';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Messages } from './messages.tsx';

type Started = Data<'POST /chat/start'>;

/** Resumes the current chat, or starts one. */
export function Chat() {
  const [chat, setChat] = useState<Started>();
  const [error, setError] = useState<Error>();
  const start = useCallback(() => {
    setError(undefined);
    setChat(undefined);
    call('POST /chat/start', {}).then(setChat, setError);
  }, []);
  useEffect(start, [start]);
  if (error) return <Failed error={error} retry={start} />;
  if (!chat) return <Bones rows={4} />;
  return <Running key={chat.chat_id} chat={chat} onAnew={start} />;
}

const READ = 'GET /chat/{id}/messages';
const SHOWN = 500;

function Running({ chat, onAnew }: { chat: Started; onAnew: () => void }) {
  const id = chat.chat_id;
  const [, go] = useLocation();
  const may = useMay();
  const [status, setStatus] = useState(chat.status);
  const [text, setText] = useDraft(`chat/${id}`);
  const field = useRef<HTMLTextAreaElement>(null);
  // Polls as a fallback while the change stream is interrupted.
  const { data } = useItem(READ, { id, limit: SHOWN }, { every: 30_000 });
  useChanges(
    useCallback(
      ({ type, key }) => {
        if (type === 'chat' && Number(key) === id) void stale(queries, [READ]);
      },
      [id],
    ),
  );
  const send = useChange('POST /chat/{id}/messages', { touches: [READ], done: () => setText('') });
  const person = useChange('POST /chat/{id}/request-agent', {
    touches: [READ],
    done: (now) => setStatus(now.status),
  });
  const ticket = useChange('POST /chat/{id}/ticket', {
    touches: [READ, '/tickets'],
    done: (made) => {
      toast(t('Ticket {ticket_number} created from this chat', { ticket_number: made.ticket_number }));
      go(addressWith('/tickets/:quoted', made.ticket_id));
    },
  });
  const end = useChange('POST /chat/{id}/end', { touches: [READ], done: (now) => setStatus(now.status) });
  useEffect(() => field.current?.focus(), []);
  const submit = () => {
    if (text.trim() && !send.isPending) send.mutate({ id, body: { message: text.trim() } });
  };
  const messages = data?.messages ?? chat.messages;
  return (
    <>
      <Messages messages={messages} waiting={send.isPending ? text : undefined} />
      {status === 'ended' ? (
        <div className="chat-acts">
          <Button look="primary" onClick={onAnew}>
            {t('Start a new chat')}
          </Button>
        </div>
      ) : (
        <>
          <form
            className="chat-form"
            onSubmit={(event) => {
              event.preventDefault();
              submit();
            }}
          >
            <label className="hidden" htmlFor="chat-text">
              {t('Your message')}
            </label>
            <textarea
              ref={field}
              id="chat-text"
              className="input"
              rows={2}
              maxLength={5000}
              value={text}
              placeholder={t('Your message')}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
                event.preventDefault();
                submit();
              }}
            />
            <IconButton icon="send" label={t('Send')} onClick={submit} disabled={send.isPending} />
          </form>
          <div className="chat-acts">
            {status === 'active' && (
              <Button size="small" onClick={() => person.mutate({ id })} disabled={person.isPending}>
                {t('Talk to a person')}
              </Button>
            )}
            {may('can_create_tickets') && !chat.ticket_id && (
              <Button size="small" onClick={() => ticket.mutate({ id, body: {} })} disabled={ticket.isPending}>
                {t('Create ticket')}
              </Button>
            )}
            <Button size="small" look="quiet" onClick={() => end.mutate({ id })}>
              {t('End')}
            </Button>
          </div>
        </>
      )}
    </>
  );
}
