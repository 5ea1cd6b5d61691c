// Numbers as spreadsheets and programs write them in files.

/** Longer text is not a number. */
const LONGEST = 40;

/** What may stand around an amount: `USD`, `CHF`, `Rs.`, `kr`, `Euro`, `h`. */
const UNIT = /^\p{L}{1,5}\.?(?=\p{Sc}?[-−]?[\d.,])|(?<=[\d.,-])\p{L}{1,5}\.?$/gu;
/** Groups of three, or of two as in India: `12,34,567`. */
const GROUPED = /^\d+$|^\d{1,3}([.,])(?:\d{2,3}\1)*\d{3}$/;

/** `1,234.50`, `1.234,50 €`, `CHF 1'234.50`, `(99.00)`, `0.125`. Undefined for other text. */
export function amountOf(text: string): number | undefined {
  if (text.length > LONGEST) return undefined;
  const [, inside] = /^\((.*)\)$/.exec(text) ?? [];
  const bare = (inside ?? text)
    .replaceAll(/[\s'’]/g, '')
    .replaceAll(UNIT, '')
    .replaceAll(/\p{Sc}/gu, '')
    // German and Swiss: `5,-` and `5.–`.
    .replace(/[.,][-–—]+$/, '')
    .replace(/^(.*\d)[-−]$/, '-$1')
    .replace('−', '-');
  const [, sign = '', digits = ''] = /^(-?)([\d.,]+)$/.exec(bare) ?? [];
  const { whole, decimals } = splitAt(digits, decimalMark(digits));
  if (!GROUPED.test(whole) || !/^\d*$/.test(decimals)) return undefined;
  const plain = `${whole.replaceAll(/[.,]/g, '')}.${decimals || '0'}`;
  if (plain.length > 20) return undefined;
  const value = Number(plain);
  return (sign === '-') === (inside === undefined) && value !== 0 ? -value : value;
}

/** `12`, `1,000`, `36.0`. Undefined for other text. */
export function integerOf(text: string): number | undefined {
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  const [, whole] = /^(-?\d{1,15})[.,]0+$/.exec(text) ?? [];
  if (whole !== undefined && !/^-?\d{1,3}[.,]000$/.test(text)) return Number(whole);
  return /^-?\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3}){1,4}$/.test(text) ? Number(text.replaceAll(/[^\d-]/g, '')) : undefined;
}

/**
 * Returns where the decimals begin. Of two kinds of marks it is the last one; a single mark separates thousands if
 * exactly three digits follow and one to three precede, of which the first is not a zero.
 */
function decimalMark(digits: string): number {
  const [point, comma] = [digits.lastIndexOf('.'), digits.lastIndexOf(',')];
  const last = Math.max(point, comma);
  if (last < 0 || (point >= 0 && comma >= 0)) return last;
  const repeated = digits.indexOf(digits[last] ?? '') < last;
  return repeated || /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits) ? -1 : last;
}

function splitAt(digits: string, at: number): { readonly whole: string; readonly decimals: string } {
  if (at < 0) return { whole: digits, decimals: '' };
  return { whole: digits.slice(0, at) || '0', decimals: digits.slice(at + 1) };
}
