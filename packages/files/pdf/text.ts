// Text lines: their width, line breaks, and the visual order of their parts. Widths are thousandths of the font size.
import bidiFactory from 'bidi-js';
import LineBreaker from 'linebreak';
import { widthOf, type Fonts, type Run, type Weight } from './fonts.ts';

export interface Typesetter {
  /** Returns the width of the widest unbreakable part. */
  word(text: string, weight: Weight): number;
  /** Returns the width of the longest line without wrapping. */
  width(text: string, weight: Weight): number;
  /** Wraps a text to a column. Only a word wider than the column is broken. */
  wrap(text: string, weight: Weight, width: number): string[];
  /** Returns a line's runs from left to right, in drawing order. */
  runs(line: string, weight: Weight): readonly Run[];
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const FIRST_LETTER = /\p{L}/u;
/** Text that needs none of the rules below. */
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
/** Latin letters of European languages, whose shapes do not depend on their neighbours. */
const LATIN = /^[\x20-\x7e\xa0-\u024f]*$/;
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\x00-\x08\x0e-\x1f\x7f-\x9f]/g;

const bidi = bidiFactory();
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Scripts without spaces between words. A line may break between any two words, but not within one. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const UNSPACED_AT_END = new RegExp(`${UNSPACED.source}$`, 'u');
const words = new Intl.Segmenter('th', { granularity: 'word' });

/** Returns true for a line that starts on the right. */
export function startsRight(text: string): boolean {
  const first = FIRST_LETTER.exec(text)?.[0];
  return first !== undefined && RIGHT_TO_LEFT.test(first);
}

export function typesetter(fonts: Fonts): Typesetter {
  const widths = { normal: new Map<string, number>(), bold: new Map<string, number>() };

  function lineWidth(line: string, weight: Weight): number {
    if (!LATIN.test(line)) return widthOf(fonts.runs(line, weight));
    const known = widths[weight];
    let sum = 0;
    for (const char of line) {
      let width = known.get(char);
      if (width === undefined) known.set(char, (width = widthOf(fonts.runs(char, weight))));
      sum += width;
    }
    return sum;
  }

  /** Splits a line into unbreakable parts: words, and the characters of a word too wide for any line. */
  function* pieces(line: string, weight: Weight, room: number): Generator<string> {
    for (const part of partsOf(line)) {
      if (lineWidth(part.trimEnd(), weight) <= room) yield part;
      else for (const { segment } of graphemes.segment(part)) yield segment;
    }
  }

  function wrapLine(line: string, weight: Weight, room: number): string[] {
    if (lineWidth(line, weight) <= room) return [line];
    const lines: string[] = [];
    let current = '';
    let taken = 0;
    for (const piece of pieces(line, weight, room)) {
      if (current !== '' && taken + lineWidth(piece.trimEnd(), weight) > room) {
        lines.push(current.trimEnd());
        current = '';
        taken = 0;
      }
      current += piece;
      taken += lineWidth(piece, weight);
    }
    if (current.trim() !== '') lines.push(current.trimEnd());
    return lines;
  }

  return {
    word(text, weight) {
      let widest = 0;
      for (const line of linesOf(text)) {
        for (const part of partsOf(line)) widest = Math.max(widest, lineWidth(part.trimEnd(), weight));
      }
      return widest;
    },
    width: (text, weight) => Math.max(...linesOf(text).map((line) => lineWidth(line, weight))),
    wrap: (text, weight, width) => linesOf(text).flatMap((line) => wrapLine(line, weight, width)),
    runs: (line, weight) => (RIGHT_TO_LEFT.test(line) ? bothWays(fonts, line, weight) : fonts.runs(line, weight)),
  };
}

function linesOf(text: string): string[] {
  if (PRINTABLE_ASCII.test(text)) return [text];
  return text
    .normalize('NFC')
    .split(/\r\n|[\n\v\f\r\x85\u2028\u2029]/)
    .map((line) => line.replaceAll('\t', '  ').replace(CONTROLS, ''));
}

function partsOf(line: string): string[] {
  if (/^\w*$/.test(line)) return [line];
  const parts: string[] = [];
  const breaker = new LineBreaker(line);
  let from = 0;
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    parts.push(line.slice(from, next.position));
    from = next.position;
  }
  return UNSPACED.test(line) ? parts.flatMap(wordsOf) : parts;
}

/** Splits a part between words that are written without spaces. */
function wordsOf(part: string): string[] {
  const found: string[] = [];
  let current = '';
  for (const { segment, isWordLike } of UNSPACED.test(part) ? words.segment(part) : []) {
    if (isWordLike && UNSPACED_AT_END.test(current) && UNSPACED.test(segment)) {
      found.push(current);
      current = '';
    }
    current += segment;
  }
  return current === '' ? [part] : [...found, current];
}

/** Orders a line with right-to-left parts: each part in its own direction, in visual order. */
function bothWays(fonts: Fonts, line: string, weight: Weight): Run[] {
  const levels = bidi.getEmbeddingLevels(line, startsRight(line) ? 'rtl' : 'ltr');
  const runs: Run[] = [];
  const order = bidi.getReorderedIndices(line, levels);
  for (let at = 0; at < order.length;) {
    const first = order[at] ?? 0;
    const step = (levels.levels[first] ?? 0) % 2 === 0 ? 1 : -1;
    let last = first;
    while (order[at + 1] === last + step && ((levels.levels[last + step] ?? 0) % 2 === 0) === (step === 1)) {
      last += step;
      at++;
    }
    at++;
    if (step === 1) runs.push(...fonts.runs(line.slice(first, last + 1), weight));
    else runs.push(...fromRight(fonts, line.slice(last, first + 1), weight));
  }
  return runs;
}

/** Fonts reverse right-to-left words; everything between words is reversed here. */
function fromRight(fonts: Fonts, text: string, weight: Weight): Run[] {
  const words = text.match(/[\p{L}\p{M}\u200c\u200d]+|[^]/gu) ?? [];
  return words.toReversed().flatMap((word) => fonts.runs(bidi.getMirroredCharacter(word) ?? word, weight));
}
