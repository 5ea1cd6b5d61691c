// Error messages and recorded reasons in the person's language. The interfaces respond in English.
import { explainer } from '@keelson/words/explanations';
import { language, loadWords, t } from './words.ts';

let loading: Promise<((text: string) => string) | undefined> | undefined;

/** Loads the catalogue once for all who ask meanwhile. */
async function load(): Promise<((text: string) => string) | undefined> {
  const words = await loadWords('web-refusals');
  // Try again with the next text.
  if (!words) loading = undefined;
  return words && explainer(Object.keys(words), t);
}

/** Translates `subject is required; priority must be between 1 and 5`. Field names are kept for the form. */
export async function refusalInWords(message: string): Promise<string> {
  if (language === 'en') return message;
  const explain = await (loading ??= load());
  return explain ? explain(message) : message;
}
