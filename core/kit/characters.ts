// What counts as text.

/** Characters as people count them: code points, not UTF-16 units. */
export function lengthOf(text: string): number {
  // No text has more characters than units: most calls need not count.
  let length = text.length;
  for (let i = 0; i < text.length - 1; i++) if (isPair(text, i)) length--;
  return length;
}

/** Is `text` at most `max` characters long? Counts only when the quick answers do not do. */
export function fits(text: string, max: number): boolean {
  if (text.length <= max) return true;
  return text.length <= max * 2 && lengthOf(text) <= max;
}

/** No NUL, which databases and C programs cut at, and no half of a surrogate pair (V-29, D22). */
export function isClean(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}
