// Chat page: accept a chat, answer it, create a ticket from it, end it.
import {
  addressWith,
  Badge,
  Bones,
  Button,
  confirm,
  Explained,
  Fact,
  Facts,
  Failed,
  Link,
  RecordPage,
  Section,
  Time,
  toneOf,
  useChange,
  useDraft,
  useItem,
  useMay,
  usePresent,
  words,
  type Data,
  rich,
  t,
} from '@keelson/web';
import { useEffect, useRef, useState } from 'react';
import { CreateTicket } from './create-ticket.tsx';
import { useTyping } from './typing.tsx';

const READ = 'GET /chat/sessions.php?id={id}';
const MESSAGES = 'GET /chat/sessions.php?action=messages&id={id}';
const back = { to: '/chats', title: t('Back to chats') };
const touches = ['/chat/sessions.php'];

const states = {
  active: t('With the assistant'),
  waiting_agent: t('Waiting for a technician'),
  with_agent: t('With a technician'),
  ended: t('Ended'),
};

const SIZE = 100;

interface Message {
  readonly message_id: number;
  readonly sender_type: string;
  readonly sender_name: string | null;
  readonly message: string;
  readonly created_at: string;
}

export default function ChatPage({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data: chat } = useItem(READ, { id });
  const { messages, error, loaded, refetch } = useMessages(id, chat?.messages);
  const [making, setMaking] = useState(false);
  const [text, setText, sent] = useDraft(`chat/${id}`);
  const may = useMay()('tickets:write');
  const accept = useChange('POST /chat/sessions.php?action=accept&id={id}', { touches });
  const end = useChange('POST /chat/sessions.php?action=end&id={id}', { touches });
  const answer = useChange('POST /chat/sessions.php?action=messages&id={id}', {
    touches,
    done: (_, { body }) => sent(body.message),
  });
  const send = () => text.trim() !== '' && !answer.isPending && answer.mutate({ id, body: { message: text.trim() } });
  useTyping(id, text);
  const here = usePresent('chat', id);
  const bottom = useRef<HTMLLIElement>(null);
  const newest = messages.at(-1)?.message_id;
  // Braces, because newer browsers return a promise, which is no clean-up.
  useEffect(() => {
    bottom.current?.scrollIntoView({ block: 'nearest' });
  }, [newest]);
  const finish = async () => {
    if (await confirm({ title: t('End chat?'), act: t('End chat') })) end.mutate({ id });
  };
  return (
    <RecordPage
      title={chat ? t('Chat with {person_name}', { person_name: chat.person_name }) : t('Chat')}
      back={back}
      badge={chat && <Badge tone={toneOf(chat.status)}>{states[chat.status]}</Badge>}
      acts={
        may &&
        chat &&
        chat.status !== 'ended' && (
          <>
            {chat.status === 'waiting_agent' && <Button onClick={() => accept.mutate({ id })}>{t('Accept')}</Button>}
            {chat.ticket_id === null && <Button onClick={() => setMaking(true)}>{t('Create ticket')}</Button>}
            <Button look="quiet" onClick={() => void finish()}>
              {t('End')}
            </Button>
          </>
        )
      }
      side={chat && <Side chat={chat} />}
    >
      {error && <Failed error={error} retry={refetch} />}
      {!loaded && !error && <Bones rows={6} />}
      <ol className="chat" aria-label={t('Messages')} aria-live="polite">
        {messages.map((each) => (
          <li key={each.message_id} data-by={sideOf(each)}>
            <small>
              {each.sender_name || words(each.sender_type)} · <Time at={each.created_at} />
            </small>
            <p className="text">{isOurs(each) ? <Explained text={each.message} /> : each.message}</p>
          </li>
        ))}
        <li ref={bottom} className="chat-end" aria-hidden="true" />
      </ol>
      {here.length > 0 && (
        <p className="chat-here tone-muted" role="status">
          {here
            .map(({ name, doing }) =>
              doing === 'writing' ? t('{name} is typing…', { name }) : t('{name} is here', { name }),
            )
            .join(', ')}
        </p>
      )}
      {may && chat?.status !== 'ended' && (
        <div className="chat-answer">
          <textarea
            className="input"
            rows={2}
            aria-label={t('Answer')}
            aria-describedby="chat-keys"
            placeholder={t('Answer')}
            maxLength={4000}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
              event.preventDefault();
              send();
            }}
          />
          <Button look="primary" icon="send" disabled={text.trim() === '' || answer.isPending} onClick={send}>
            {t('Send')}
          </Button>
          <small id="chat-keys" className="tone-muted">
            {rich('{kbd} sends, {kbd2} {kbd3} starts a new line.', {
              kbd: <kbd>{t('Enter')}</kbd>,
              kbd2: <kbd>{t('Shift')}</kbd>,
              kbd3: <kbd>{t('Enter')}</kbd>,
            })}
          </small>
        </div>
      )}
      {chat && <CreateTicket chat={chat} open={making} onClose={() => setMaking(false)} />}
    </RecordPage>
  );
}

/** Messages that no person wrote. */
const isOurs = ({ sender_type }: Message): boolean => sender_type === 'system' || sender_type === 'assistant';

/** The customer on the left, technicians on the right, system messages in the middle. */
function sideOf({ sender_type }: Message): 'them' | 'us' | 'system' {
  if (sender_type === 'user') return 'them';
  return sender_type === 'system' ? 'system' : 'us';
}

/** Returns the newest messages of a chat: its last page, and the one before. */
function useMessages(id: number, count: number | undefined) {
  const last = Math.max(1, Math.ceil((count ?? 0) / SIZE));
  const known = count !== undefined;
  // Polls as a fallback while the change stream is interrupted.
  const newest = useItem(MESSAGES, { id, page: last, per_page: SIZE }, { every: 15_000, enabled: known });
  const before = useItem(MESSAGES, { id, page: last - 1, per_page: SIZE }, { enabled: last > 1 });
  return {
    messages: [...((before.data ?? []) as readonly Message[]), ...((newest.data ?? []) as readonly Message[])],
    loaded: newest.data !== undefined,
    error: newest.error,
    refetch: () => void newest.refetch(),
  };
}

function Side({ chat }: { chat: Data<typeof READ> }) {
  return (
    <Section title={t('About')}>
      <Facts>
        <Fact name={t('Person')}>
          {chat.employee_number === null ? (
            chat.person_name
          ) : (
            <Link href={`/contacts/${chat.employee_number}`}>{chat.person_name}</Link>
          )}
        </Fact>
        <Fact name={t('Company')}>
          {chat.company_number !== null && <Link href={`/companies/${chat.company_number}`}>{chat.company_name}</Link>}
        </Fact>
        <Fact name={t('Ticket')}>
          {chat.ticket_id !== null && (
            <Link href={addressWith('/tickets/:quoted', chat.ticket_id)}>{t('Open ticket')}</Link>
          )}
        </Fact>
        <Fact name={t('Page')}>{chat.page_url || null}</Fact>
        <Fact name={t('Technician')}>{chat.agent_name}</Fact>
        <Fact name={t('Asked')}>{chat.requested_at && <Time at={chat.requested_at} />}</Fact>
      </Facts>
    </Section>
  );
}
