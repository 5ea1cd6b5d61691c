// Chat page: accept a chat, answer it, create a ticket from it, end it.
import {
  addressWith,
  Badge,
  Bones,
  Button,
  confirm,
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
  useKeys,
  useMay,
  words,
  type Data,
} from '@keelson/web';
import { useState } from 'react';
import { CreateTicket } from './create-ticket.tsx';

const READ = 'GET /chat/sessions.php?id={id}';
const MESSAGES = 'GET /chat/sessions.php?action=messages&id={id}';
const back = { to: '/chats', title: 'Back to the chats' };
const touches = ['/chat/sessions.php'];

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
  // Polls as a fallback while the change stream is interrupted.
  const { data, error, refetch } = useItem(MESSAGES, { id, per_page: 100 }, { every: 15_000 });
  const [making, setMaking] = useState(false);
  const [text, setText] = useDraft(`chat/${id}`);
  const may = useMay()('tickets:write');
  const accept = useChange('POST /chat/sessions.php?action=accept&id={id}', { touches });
  const end = useChange('POST /chat/sessions.php?action=end&id={id}', { touches });
  const answer = useChange('POST /chat/sessions.php?action=messages&id={id}', { touches, done: () => setText('') });
  const send = () => text.trim() !== '' && !answer.isPending && answer.mutate({ id, body: { message: text.trim() } });
  useKeys([{ keys: 'Mod+Enter', title: 'Send', run: send, inFields: true }]);
  const finish = async () => {
    if (await confirm({ title: 'End this chat?', act: 'End it' })) end.mutate({ id });
  };
  return (
    <RecordPage
      title={chat ? `Chat with ${chat.person_name}` : 'Chat'}
      back={back}
      badge={chat && <Badge tone={toneOf(chat.status)}>{words(chat.status)}</Badge>}
      acts={
        may &&
        chat &&
        chat.status !== 'ended' && (
          <>
            {chat.status === 'waiting_agent' && <Button onClick={() => accept.mutate({ id })}>Take it</Button>}
            {chat.ticket_id === null && <Button onClick={() => setMaking(true)}>Make a ticket</Button>}
            <Button look="quiet" onClick={() => void finish()}>
              End
            </Button>
          </>
        )
      }
      side={chat && <Side chat={chat} />}
    >
      {error && <Failed error={error} retry={() => void refetch()} />}
      {!data && !error && <Bones rows={6} />}
      <ol className="chat" aria-label="Messages" aria-live="polite">
        {((data ?? []) as readonly Message[]).map((each) => (
          <li key={each.message_id} data-ours={each.sender_type === 'agent' || undefined}>
            <small>
              {each.sender_name ?? each.sender_type} · <Time at={each.created_at} />
            </small>
            <p className="text">{each.message}</p>
          </li>
        ))}
      </ol>
      {may && chat?.status !== 'ended' && (
        <div className="chat-answer">
          <textarea
            className="input"
            rows={2}
            aria-label="Answer"
            placeholder="Answer"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <Button look="primary" icon="send" keys="Mod+Enter" disabled={text.trim() === ''} onClick={send}>
            Send
          </Button>
        </div>
      )}
      {chat && <CreateTicket chat={chat} open={making} onClose={() => setMaking(false)} />}
    </RecordPage>
  );
}

function Side({ chat }: { chat: Data<typeof READ> }) {
  return (
    <Section title="About">
      <Facts>
        <Fact name="Person">
          {chat.employee_number === null ? (
            chat.person_name
          ) : (
            <Link href={`/contacts/${chat.employee_number}`}>{chat.person_name}</Link>
          )}
        </Fact>
        <Fact name="Company">
          {chat.company_number !== null && <Link href={`/companies/${chat.company_number}`}>{chat.company_name}</Link>}
        </Fact>
        <Fact name="Ticket">
          {chat.ticket_id !== null && <Link href={addressWith('/tickets/:quoted', chat.ticket_id)}>Open it</Link>}
        </Fact>
        <Fact name="Page">{chat.page_url || null}</Fact>
        <Fact name="Technician">{chat.agent_name}</Fact>
        <Fact name="Asked">{chat.requested_at && <Time at={chat.requested_at} />}</Fact>
      </Facts>
    </Section>
  );
}
