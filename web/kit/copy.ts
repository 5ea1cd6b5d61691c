import { toast, toastError } from './toast.tsx';

/** Copies a text to the clipboard and says so. */
export const copy = (text: string): void =>
  void navigator.clipboard.writeText(text).then(() => toast('Copied'), toastError);
