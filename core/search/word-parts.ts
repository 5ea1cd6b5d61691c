// Parts of numbers. Numbers rarely repeat, so a fragment such as 90 occurs in ever more words, each with a single
// record. The index therefore stores the pieces of words with digits as entries of their own: `#90`.

/** Never occurs in a word. */
const MARK = '#';
const DIGIT = /[0-9]/;
const LONGEST = 2;

/** Returns the indexed parts of a word: pieces of one or two characters with a digit in them. */
export function partsOf(word: string): string[] {
  return DIGIT.test(word) ? pieces(word, [1, LONGEST]) : [];
}

/** Returns the parts common to all words that contain this one; none if it has no digit. */
export function partsWithin(asked: string): string[] {
  const length = Array.from(asked).length;
  return DIGIT.test(asked) ? pieces(asked, [Math.min(LONGEST, length)]) : [];
}

/** Whether the words that contain this one are exactly those that have its parts. */
export function isPart(asked: string): boolean {
  return DIGIT.test(asked) && Array.from(asked).length <= LONGEST;
}

/** Whether an index entry is a part, which no search matches as a word. */
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
