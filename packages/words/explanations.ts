// Error messages and recorded reasons in another language. The interfaces respond and record in English; a catalogue
// has the messages with their values as `{name}`.
import type { Translate } from './index.ts';

/** A date as English texts have it: `2 Mar 2026`. */
const DAY = /^\d{1,2} [A-Z][a-z]{2,3} \d{4}$/;

/** Returns such a date as `2026-03-02`. */
export const isoDayOf = (day: string): string => new Date(`${day} UTC`).toISOString().slice(0, 10);

/** An amount as English texts have it: `USD 1,234.50`. */
const AMOUNT = /^([A-Z]{3})\s([\d,]+(?:\.\d+)?)$/;

/** How a language writes values. */
export interface ValueForms {
  /** Writes a date such as `2 Mar 2026`. */
  day(text: string): string;
  amount(amount: number, currency: string): string;
}

interface Form {
  readonly message: string;
  /** Matches the message with its values filled in. The first group is the field that a phrase refers to. */
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

/**
 * Returns a function that translates texts such as `subject is required; priority must be between 1 and 5`, sentence by
 * sentence. A value that is itself one of the messages is translated too. Field names are kept. Text that matches no
 * message stays as it is; dates and amounts are written in their `forms`.
 */
export function explainer(messages: readonly string[], t: Translate, forms: ValueForms): (text: string) => string {
  // Longest first, because shorter patterns match more.
  const known = messages.map(formOf).toSorted((one, other) => other.message.length - one.message.length);
  const sentence = (said: string): string => {
    for (const { message, pattern, names } of known) {
      const found = pattern.exec(said);
      if (!found) continue;
      const [, field, ...values] = found;
      const inWords = t(message, Object.fromEntries(names.map((name, at) => [name, part(values[at] ?? '')])));
      return field ? `${field} ${inWords}` : inWords;
    }
    return said;
  };
  /** A value, which may hold several sentences. A single word is data. */
  const part = (value: string): string => {
    if (DAY.test(value)) return forms.day(value);
    const [, currency, amount] = AMOUNT.exec(value) ?? [];
    if (currency && amount) return forms.amount(Number(amount.replaceAll(',', '')), currency);
    return value.includes(' ') ? parts(value) : value;
  };
  const parts = (text: string): string => {
    const whole = sentence(text);
    if (whole !== text) return whole;
    // With the separators, which match no message.
    const divided = text.split(/(; |\n+|(?<=\.) )/);
    return divided.length === 1 ? text : divided.map(sentence).join('');
  };
  return parts;
}

function formOf(message: string): Form {
  const pieces = message.split(/\{(\w+)\}/);
  const source = pieces.map((each, at) => (at % 2 ? '(.+?)' : each.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))).join('');
  const field = /^(?:must|is|has|may|can|cannot) /.test(message) ? '([\\w.[\\]]+) ' : '()';
  return { message, pattern: new RegExp(`^${field}${source}$`, 's'), names: pieces.filter((_, at) => at % 2) };
}
