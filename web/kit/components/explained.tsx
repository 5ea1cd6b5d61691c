import { useQuery } from '@tanstack/react-query';
import { refusalInWords } from '../request/refusals.ts';
import { language } from '../shell/words.ts';

interface Recorded {
  readonly text: string;
}

/** Returns a text that the server recorded in English, in the person's language; in English until it is known. */
export const useExplained = language === 'en' ? (text: string) => text : useTranslated;

/** Shows such a text. */
export const Explained = ({ text }: Recorded) => useExplained(text);

function useTranslated(text: string): string {
  const said = useQuery({ queryKey: ['explained', text], queryFn: () => refusalInWords(text), staleTime: Infinity });
  return said.data ?? text;
}
