// Error messages in the person's language. The interfaces respond in English.
import { language, loadWords, t } from './words.ts';

interface Form {
  readonly message: string;
  /** Matches the message with its values filled in. The first group is the field that a phrase refers to. */
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

/** Longest first, because shorter patterns match more. */
let forms: readonly Form[] = [];

/** Translates `subject is required; priority must be between 1 and 5`. Field names are kept for the form. */
export async function refusalInWords(message: string): Promise<string> {
  if (language === 'en') return message;
  const words = await loadWords('web-refusals');
  if (words)
    forms = Object.keys(words)
      .map(formOf)
      .toSorted((one, other) => other.message.length - one.message.length);
  return message.split('; ').map(sentenceInWords).join('; ');
}

function sentenceInWords(sentence: string): string {
  for (const { message, pattern, names } of forms) {
    const found = pattern.exec(sentence);
    if (!found) continue;
    const [, field, ...values] = found;
    const said = t(message, Object.fromEntries(names.map((name, at) => [name, values[at]])));
    return field ? `${field} ${said}` : said;
  }
  return sentence;
}

function formOf(message: string): Form {
  const pieces = message.split(/\{(\w+)\}/);
  const source = pieces.map((each, at) => (at % 2 ? '(.+?)' : each.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))).join('');
  const field = /^(?:must|is|has|may|can|cannot) /.test(message) ? '([\\w.[\\]]+) ' : '()';
  return { message, pattern: new RegExp(`^${field}${source}$`, 's'), names: pieces.filter((_, at) => at % 2) };
}
