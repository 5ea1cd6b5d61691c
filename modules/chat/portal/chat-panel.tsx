// The chat panel on every page: the assistant answers first, a person on request.
import { Icon, IconButton, t } from '@keelson/web';
import { useEffect, useRef, useState } from 'react';
import { Chat } from './chat.tsx';

/** Survives page reloads, until the browser tab is closed. */
const OPEN = 'keelson.chat.open';

export default function ChatPanel() {
  const [open, setOpen] = useState(() => sessionStorage.getItem(OPEN) === '1');
  const button = useRef<HTMLButtonElement>(null);
  const opened = useRef(open);
  useEffect(() => {
    if (open) sessionStorage.setItem(OPEN, '1');
    else sessionStorage.removeItem(OPEN);
    if (opened.current && !open) button.current?.focus();
    opened.current = open;
  }, [open]);
  if (!open)
    return (
      <aside className="chat-corner" aria-label={t('Chat')}>
        <button ref={button} type="button" className="chat-button" onClick={() => setOpen(true)}>
          <Icon name="chat" size={20} />
          <span>{t('Chat')}</span>
        </button>
      </aside>
    );
  return (
    <aside
      className="chat-drawer"
      aria-label={t('Chat')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setOpen(false);
      }}
    >
      <header>
        <h2>{t('Chat with us')}</h2>
        <IconButton icon="x" label={t('Close chat')} onClick={() => setOpen(false)} />
      </header>
      <Chat />
    </aside>
  );
}
