import { useQuery } from '@tanstack/react-query';
import { refusalInWords } from './refusals.ts';
import { language } from './words.ts';

interface Recorded {
  readonly text: string;
}

/** Shows a reason that the server recorded in English, in the person's language. */
export const Explained = language === 'en' ? ({ text }: Recorded) => text : Translated;

function Translated({ text }: Recorded) {
  const said = useQuery({ queryKey: ['explained', text], queryFn: () => refusalInWords(text), staleTime: Infinity });
  return said.data ?? text;
}
