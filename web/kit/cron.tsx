import { useEffect, useState } from 'react';

/** Describes a cron expression in words: `At 07:00, only on Monday`. The library is loaded on demand. */
export function Cron({ line }: { line: string }) {
  const [text, setText] = useState('');
  useEffect(() => {
    let gone = false;
    void import('cronstrue').then(({ toString }) => {
      if (!gone) setText(toString(line, { use24HourTimeFormat: true, throwExceptionOnParseError: false }));
    });
    return () => {
      gone = true;
    };
  }, [line]);
  return text || '…';
}
