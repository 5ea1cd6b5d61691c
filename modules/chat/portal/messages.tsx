// The conversation: scrolled to the newest message; new messages are announced to screen readers.
import { Explained, Time, type Data, t } from '@keelson/web';
import { useEffect, useRef } from 'react';

type Message = Data<'GET /chat/{id}/messages'>['messages'][number];

const names: Readonly<Record<string, string>> = {
  user: t('You'),
  assistant: t('Assistant'),
  agent: t('Support'),
  system: '',
};

/** Messages that no person wrote. */
const isOurs = ({ sender_type }: Message): boolean => sender_type === 'system' || sender_type === 'assistant';

export function Messages({ messages, waiting }: { messages: readonly Message[]; waiting: string | undefined }) {
  const list = useRef<HTMLOListElement>(null);
  const newest = messages.at(-1)?.message_id;
  useEffect(() => {
    list.current?.scrollTo(0, list.current.scrollHeight);
  }, [newest, waiting]);
  return (
    <ol ref={list} className="chat-messages" role="log" aria-label={t('Messages')} tabIndex={0}>
      {messages.length === 0 && !waiting && (
        <li data-by="system">{t('Ask anything. Our assistant replies instantly.')}</li>
      )}
      {messages.map((each) => (
        <li key={each.message_id} data-by={each.sender_type}>
          {names[each.sender_type] && <b className="hidden">{names[each.sender_type]}: </b>}
          <span className="text">{isOurs(each) ? <Explained text={each.message} /> : each.message}</span>
          {each.sender_type !== 'system' && <Time at={each.created_at} />}
        </li>
      ))}
      {waiting && (
        <li data-by="user" className="chat-waiting">
          <span className="text">{waiting}</span>
        </li>
      )}
    </ol>
  );
}
