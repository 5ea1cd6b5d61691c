import { ask, queries, stale } from '@keelson/web';
import { useEffect, useRef } from 'react';

/** Tells others who look at the ticket. That they do not hear of it harms nobody, so a refusal is not shown. */
export async function tellPresence(id: number, doing: 'viewing' | 'writing' | 'left'): Promise<void> {
  if (document.hidden && doing !== 'left') return;
  const body = { type: 'ticket', key: id, doing };
  await ask('POST /presence.php', { body, keepalive: true }).catch(() => undefined);
}

/** Notes that the person has read the ticket as it was at `updated_at`: it stands in the list as read. */
export async function markRead(id: number, updated_at: string): Promise<void> {
  // A key has no marks of its own, and a reader who is refused sees the ticket all the same.
  await ask('POST /tickets.php?action=read&id={id}', { id, body: { updated_at }, patient: false }).catch(
    () => undefined,
  );
  await stale(queries, ['GET /tickets.php']);
}

/** Others hear that somebody is writing, twice a minute at most. */
export function useTyping(id: number, text: string): void {
  const told = useRef(0);
  useEffect(() => {
    if (text === '') {
      // Sent or discarded: nobody need wait any more.
      if (told.current > 0) void tellPresence(id, 'viewing');
      told.current = 0;
      return;
    }
    if (Date.now() - told.current < 20_000) return;
    told.current = Date.now();
    void tellPresence(id, 'writing');
  }, [id, text]);
}
