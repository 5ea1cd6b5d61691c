// Chats: requests that are waiting at the top, then the technician's own, those to answer first.
import {
  addressWith,
  Badge,
  Button,
  firstRows,
  Line,
  Lines,
  Loaded,
  Sheet,
  Time,
  useChange,
  useGo,
  useMay,
  usePages,
  type Row,
  rich,
  t,
} from '@keelson/web';

const LIST = 'GET /chat/sessions.php';
type Chat = Row<typeof LIST>;
const SHOWN = 100;

export default function Chats() {
  const waiting = usePages(LIST, { status: 'waiting_agent' });
  const mine = usePages(LIST, { status: 'with_agent' });
  const rows = firstRows(mine, SHOWN).toSorted((a, b) => Number(b.awaits_answer) - Number(a.awaits_answer));
  return (
    <Sheet title={t('Chats')}>
      <Loaded list={[waiting, mine]}>
        <div className="chats">
          <Lines title={t('Waiting ({total})', { total: waiting.total })}>
            {firstRows(waiting, SHOWN).map((each) => (
              <Waiting key={each.chat_id} chat={each} />
            ))}
            {waiting.total === 0 && (
              <li className="none">
                {t('No one is waiting. Chat requests from the portal and your website appear here.')}
              </li>
            )}
          </Lines>
          {rows.length > 0 && (
            <Lines title={t('Your chats ({total})', { total: mine.total })}>
              {rows.map((each) => (
                <Line
                  key={each.chat_id}
                  to={addressWith('/chats/:id', each.chat_id)}
                  title={each.person_name}
                  about={about(each)}
                  end={
                    each.awaits_answer ? <Badge tone="warn">{t('Answer due')}</Badge> : <Badge>{t('Answered')}</Badge>
                  }
                />
              ))}
            </Lines>
          )}
        </div>
      </Loaded>
    </Sheet>
  );
}

function Waiting({ chat }: { chat: Chat }) {
  const { chat_id: id, person_name, requested_at } = chat;
  const go = useGo();
  const may = useMay()('tickets:write');
  const to = addressWith('/chats/:id', id);
  const accept = useChange('POST /chat/sessions.php?action=accept&id={id}', {
    touches: ['/chat/sessions.php'],
    done: () => go(to),
  });
  return (
    <Line
      to={to}
      title={person_name}
      about={[
        ...about(chat),
        requested_at && <span key="since">{rich('requested {time}', { time: <Time at={requested_at} /> })}</span>,
      ]}
      end={
        may && (
          <Button look="primary" size="small" disabled={accept.isPending} onClick={() => accept.mutate({ id })}>
            {t('Accept')}
            <span className="hidden"> {t('the chat with {person_name}', { person_name })}</span>
          </Button>
        )
      }
    />
  );
}

const about = ({ company_name, source, topic }: Chat) => [
  company_name || (source === 'website' ? t('Website visitor') : ''),
  topic,
];
