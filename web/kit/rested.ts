import { useEffect, useState } from 'react';

/** Returns the text debounced by `ms`, so that not every keystroke triggers a request. */
export function useRested(text: string, ms: number): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return rested;
}
