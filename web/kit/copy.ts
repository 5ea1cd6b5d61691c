import { toast, toastError } from './components/toast.tsx';
import { t } from './shell/words.ts';

/** Copies text to the clipboard and shows a toast. */
export const copy = (text: string): void =>
  void navigator.clipboard.writeText(text).then(() => toast(t('Copied')), toastError);
