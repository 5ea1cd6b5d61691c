import { useEffect, useState } from 'react';

/** When a cron line is due, in words: `At 07:00, only on Monday`. The library is loaded where a line is shown. */
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
