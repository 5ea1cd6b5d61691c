// Error messages and recorded reasons in the person's language. The interfaces respond in English.
import { explainer, isoDayOf } from '@keelson/words/explanations';
import { date, money } from '../format.ts';
import { loadWords, t } from '../shell/words.ts';

let explain: ((text: string) => string) | undefined;

/** Translates `subject is required; priority must be between 1 and 5`. Field names are kept for the form. */
export async function refusalInWords(message: string): Promise<string> {
  const words = await loadWords('web-refusals');
  if (!words) return message;
  explain ??= explainer(Object.keys(words), t, { day: (day) => date(isoDayOf(day)), amount: money });
  return explain(message);
}
