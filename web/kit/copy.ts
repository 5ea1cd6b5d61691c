import { toast, toastError } from './toast.tsx';
import { t } from './words.ts';

/** Copies a text to the clipboard and says so. */
export const copy = (text: string): void =>
  void navigator.clipboard.writeText(text).then(() => toast(t('Copied')), toastError);
