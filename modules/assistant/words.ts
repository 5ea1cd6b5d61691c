// Extracts keywords for comparing questions with articles.

const stopWords: ReadonlySet<string> = new Set(
  `a about after all also am an and any anybody are as at be been before but by can cannot could did do does doing don
  else every for from get give got had has have he hello help her hey hi him his how i if in into is it its just know let
  like me more my need no not now of ok okay on one or our out over please she so some still tell thank thanks that the
  their them then there these they this to too up us use using want was we were what when where which who why will with
  would yes you your`.split(/\s+/),
);

/** Generic words that a matching text need not contain. */
const weakWords =
  'set setup configure install new change make add create use open start find work working problem issue question trouble fix error login fail failing broken slow';

const WEAK = 0.25;

/** Returns the weight of a keyword, up to 1. */
export const weightOf = (word: string): number => (weak.has(word) ? WEAK : 1);

/** Returns the distinct keywords of a text: lower case, without accents, stop words and common endings. */
export function keywordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}|['’]/gu, '')
    .toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.filter((word) => word.length > 1 && !stopWords.has(word)).map(stemOf))];
}

/** `printers` and `printing` become `printer` and `print`; a stem has at least four letters. */
function stemOf(word: string): string {
  const stem = word.replace(/(?:ings?|ed|e?s)$/, '');
  return stem.length >= 4 ? stem : word;
}

const weak: ReadonlySet<string> = new Set(keywordsOf(weakWords));
