import { useEffect, useState } from 'react';
import { language } from '../shell/words.ts';

/** The languages of the library besides English. Each adds itself to it. */
const locales = new Map<string, () => Promise<unknown>>([['de', () => import('cronstrue/locales/de')]]);

/** Describes a cron expression in words: `At 07:00, only on Monday`. The library is loaded on demand. */
export function Cron({ line }: { line: string }) {
  const [text, setText] = useState('');
  useEffect(() => {
    let gone = false;
    const locale = locales.has(language) ? language : 'en';
    const options = { use24HourTimeFormat: true, throwExceptionOnParseError: false, locale };
    void Promise.all([import('cronstrue'), locales.get(language)?.()]).then(([{ toString }]) => {
      if (!gone) setText(toString(line, options));
    });
    return () => {
      gone = true;
    };
  }, [line]);
  return text || '…';
}
