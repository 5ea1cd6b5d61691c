import { useQuery } from '@tanstack/react-query';
import { refusalInWords } from './refusals.ts';
import { language } from './words.ts';

/** Shows a reason that the server recorded in English, in the person's language. */
export function Explained({ text }: { readonly text: string }) {
  const said = useQuery({
    queryKey: ['explained', text],
    queryFn: () => refusalInWords(text),
    enabled: language !== 'en',
    staleTime: Infinity,
  });
  return said.data ?? text;
}
