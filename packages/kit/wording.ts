// Text written by the server itself in a person's language: mails, documents and pages without scripts.
import type { MessageValues, Translate } from '@keelson/words';
import { moneyInWords } from './money.ts';
import { dayInWords, momentInWords, type Day, type Timestamp } from './time.ts';

/** The server's texts in one language. */
export interface Wording {
  /** `en`, `de`, … */
  readonly language: string;
  readonly t: Translate;
  /** Translates text that is not an ICU message, such as a mail template. */
  readonly find: (text: string) => string;
  /** Translates an error message or a recorded reason, as far as it consists of known ones. */
  readonly explain: (text: string) => string;
}

/** A value in a mail, written in the recipient's language. */
export type Spoken =
  | string
  | number
  | { readonly day: Day }
  | { readonly at: Timestamp; readonly zone: string }
  | { readonly minor: number; readonly currency: string }
  /** An error message or a recorded reason, which is in English. */
  | { readonly explained: string }
  | { readonly message: string; readonly values: Readonly<Record<string, Spoken>> };

/** Returns a message for `Letter.data`: `worded('Not before {day}', { day: { day: due_date } })`. */
export const worded = (message: string, values: Readonly<Record<string, Spoken>> = {}): Spoken => ({ message, values });

/** Formats a value in a language. */
export function spokenIn(wording: Wording, value: Spoken): string {
  if (typeof value !== 'object') return String(value);
  if ('day' in value) return dayInWords(value.day, wording.language);
  if ('at' in value) return momentInWords(value.at, value.zone, wording.language);
  if ('explained' in value) return wording.explain(value.explained);
  if ('minor' in value) return moneyInWords(value.minor, value.currency, wording.language);
  return wording.t(value.message, spokenValues(wording, value.values));
}

const spokenValues = (wording: Wording, values: Readonly<Record<string, Spoken>>): MessageValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, each]) => [name, typeof each === 'number' ? each : spokenIn(wording, each)]),
  );
