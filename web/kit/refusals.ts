// Error messages and recorded reasons in the person's language. The interfaces respond in English.
import { explainer } from '@keelson/words/explanations';
import { date } from './format.ts';
import { loadWords, t } from './words.ts';

let explain: ((text: string) => string) | undefined;

/** Translates `subject is required; priority must be between 1 and 5`. Field names are kept for the form. */
export async function refusalInWords(message: string): Promise<string> {
  const words = await loadWords('web-refusals');
  if (!words) return message;
  explain ??= explainer(Object.keys(words), t, (day) => date(new Date(`${day} UTC`).toISOString().slice(0, 10)));
  return explain(message);
}
