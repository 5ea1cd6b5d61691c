// Parts of numbers. Numbers never repeat, so a fragment of one, such as 90, stands in the more words the more records there
// are, and each of them has one record. Therefore the index has the pieces of words with digits as words of their own: `#90`.

/** No word has this character. */
const MARK = '#';
const DIGIT = /[0-9]/;
const LONGEST = 2;

/** The parts of a word that the index has: pieces of one or two characters with a digit in them. */
export function partsOf(word: string): string[] {
  return DIGIT.test(word) ? pieces(word, [1, LONGEST]) : [];
}

/** The parts that every word has in which this one stands; none where it has no digit. */
export function partsWithin(asked: string): string[] {
  const length = Array.from(asked).length;
  return DIGIT.test(asked) ? pieces(asked, [Math.min(LONGEST, length)]) : [];
}

/** Whether a word stands in exactly those words that have its parts. */
export function isPart(asked: string): boolean {
  return DIGIT.test(asked) && Array.from(asked).length <= LONGEST;
}

/** Whether an entry of the index is a part, and no word that anybody searches. */
export function isMarked(entry: string): boolean {
  return entry.startsWith(MARK);
}

function pieces(word: string, lengths: readonly number[]): string[] {
  const letters = Array.from(word);
  const found = new Set<string>();
  for (const length of lengths)
    for (let from = 0; from + length <= letters.length; from++) {
      const piece = letters.slice(from, from + length).join('');
      if (DIGIT.test(piece)) found.add(MARK + piece);
    }
  return [...found];
}
