import { toast } from '../components/toast.tsx';
import { useShown } from '../shown.ts';

/**
 * Returns what to call once a form is saved: it says so, and calls `close` unless the form is gone. A dialog that was
 * opened again meanwhile stays open.
 */
export function useFinish(close: () => void): (text: string) => void {
  const shown = useShown();
  return (text) => {
    toast(text);
    if (shown.current) close();
  };
}
