// Tells colleagues who has a chat open and who is typing.
import { ask } from '@keelson/web';
import { useEffect, useRef } from 'react';

const RENEW_MS = 20_000;

/** Failures are ignored, because presence is only informational; keys have none. */
async function tell(key: number, doing: 'viewing' | 'writing' | 'left'): Promise<void> {
  if (document.hidden && doing !== 'left') return;
  await ask('POST /presence.php', { body: { type: 'chat', key, doing }, keepalive: true }).catch(() => undefined);
}

/** Reports that the person has the chat open, and while there is text, that they are typing. */
export function useTyping(id: number, text: string): void {
  const told = useRef(0);
  useEffect(() => {
    void tell(id, 'viewing');
    const timer = setInterval(
      () => void tell(id, Date.now() - told.current < RENEW_MS ? 'writing' : 'viewing'),
      RENEW_MS,
    );
    return () => {
      clearInterval(timer);
      void tell(id, 'left');
    };
  }, [id]);
  useEffect(() => {
    if (text === '') {
      if (told.current > 0) void tell(id, 'viewing');
      told.current = 0;
    } else if (Date.now() - told.current >= RENEW_MS) {
      told.current = Date.now();
      void tell(id, 'writing');
    }
  }, [id, text]);
}
