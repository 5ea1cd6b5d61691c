import {
  addressWith,
  Bones,
  Button,
  call,
  Failed,
  IconButton,
  queries,
  Refused,
  stale,
  toast,
  useChange,
  useChanges,
  useDraft,
  useGo,
  useMay,
  usePages,
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
/** Number of the newest messages that are shown. */
const SHOWN = 100;
const POLL_MS = 30_000;

function Running({ chat, onAnew }: { chat: Started; onAnew: () => void }) {
  const id = chat.chat_id;
  const go = useGo();
  const may = useMay();
  const [status, setStatus] = useState(chat.status);
  // Not the chat's own: what it no longer takes is said in the next one.
  const [text, setText, sent] = useDraft('chat');
  const field = useRef<HTMLTextAreaElement>(null);
  const messages = useMessages(chat);
  useChanges(
    useCallback(
      ({ type, key }) => {
        if (type === 'chat' && Number(key) === id) void stale(queries, [READ]);
      },
      [id],
    ),
  );
  const send = useChange('POST /chat/{id}/messages', {
    touches: [READ],
    done: (_, { body }) => sent(body.message),
    failed: (error, { body }) => {
      setText(text.trim() === body.message ? text : `${body.message}\n${text}`.trim());
      if (error instanceof Refused && error.english?.includes('has ended')) setStatus('ended');
    },
  });
  // Until it arrives, a message is in the conversation alone; its draft is kept.
  const waiting = send.isPending ? send.variables.body.message : undefined;
  const typed = text.trim() === waiting ? '' : text;
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
    if (text.trim() && waiting === undefined) send.mutate({ id, body: { message: text.trim() } });
  };
  return (
    <>
      <Messages messages={messages} waiting={waiting} />
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
              maxLength={4000}
              value={typed}
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

/** Returns the newest messages of a chat, oldest first. */
function useMessages({ chat_id: id, messages }: Started): Started['messages'] {
  // Polls as a fallback while the change stream is interrupted.
  const { total, at, need } = usePages(READ, { id }, { every: POLL_MS });
  const first = Math.max(0, total - SHOWN);
  useEffect(() => need(first, Math.max(first, total - 1)), [need, first, total]);
  const newest = Array.from({ length: total - first }, (_, index) => at(first + index));
  const known = newest.filter((each) => each !== undefined);
  return known.length > 0 ? known : messages;
}
