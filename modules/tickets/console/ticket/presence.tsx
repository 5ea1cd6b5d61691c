import { ask, queries } from '@keelson/web';
import { useEffect, useRef } from 'react';
import { LIST, show } from './change.tsx';

/** Reports presence to others viewing the ticket. Failures are ignored because presence is only informational. */
export async function tellPresence(id: number, doing: 'viewing' | 'writing' | 'left'): Promise<void> {
  if (document.hidden && doing !== 'left') return;
  const body = { type: 'ticket', key: id, doing };
  await ask('POST /presence.php', { body, keepalive: true }).catch(() => undefined);
}

/** Marks the ticket read as of `updated_at`, also in the lists that are loaded. */
export async function markRead(id: number, updated_at: string): Promise<void> {
  // API keys have no read marks, and a refusal must not hide the ticket.
  const body = { updated_at };
  const marked = await ask('POST /tickets.php?action=read&id={id}', { id, body, patient: false }).then(
    () => true,
    () => false,
  );
  if (!marked) return;
  show(id, { unread: false });
  // Lists are read again when they are next opened; the one that is open shows it already.
  await queries.invalidateQueries({ queryKey: [LIST], refetchType: 'none' });
}

/** Reports that the person is writing, at most every 20 seconds. */
export function useTyping(id: number, text: string): void {
  const told = useRef(0);
  useEffect(() => {
    if (text === '') {
      // The text was sent or discarded, so the person is no longer writing.
      if (told.current > 0) void tellPresence(id, 'viewing');
      told.current = 0;
      return;
    }
    if (Date.now() - told.current < 20_000) return;
    told.current = Date.now();
    void tellPresence(id, 'writing');
  }, [id, text]);
}
