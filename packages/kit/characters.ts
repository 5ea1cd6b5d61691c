// Measures and truncates text, and checks which characters it contains.

/** Returns the number of characters: code points, not UTF-16 units. */
export function lengthOf(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length - 1; i++) if (isPair(text, i)) length--;
  return length;
}

/** Returns true if `text` has at most `max` characters. The UTF-16 length usually decides without counting. */
export function fits(text: string, max: number): boolean {
  if (text.length <= max) return true;
  return text.length <= max * 2 && lengthOf(text) <= max;
}

/** Returns the first `max` characters of `text`, without splitting a surrogate pair. */
export function cutTo(text: string, max: number): string {
  if (fits(text, max)) return text;
  const letters = Array.from(text.slice(0, max * 2));
  return letters.slice(0, max).join('');
}

/**
 * Returns true if `text` has no NUL, which truncates it in databases and C programs, and no unpaired surrogate (V-29,
 * SF-22).
 */
export function isClean(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}
