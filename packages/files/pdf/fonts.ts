// Types of pdfkit and others; where only a plugin is type-checked, nothing else names them.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="libraries.d.ts" />
// The fonts of a document, and text as glyphs. Measures are thousandths of the font size.
import { LRUCache } from 'lru-cache';
import type { PdfDocument, PdfFont } from 'pdfkit';
import { NORMAL_FONT, ownFonts, systemFonts, type FontFile } from './font-files.ts';

export type Weight = 'normal' | 'bold';

export interface Glyph {
  readonly hex: string;
  /** The glyph's own width, and its advance here. */
  readonly width: number;
  readonly advance: number;
  readonly right: number;
  readonly up: number;
}

/** Text in one font. */
export interface Run {
  readonly font: PdfFont;
  readonly glyphs: readonly Glyph[];
}

export interface Fonts {
  /** Returns the glyphs of text in a single direction, in drawing order. */
  runs(text: string, weight: Weight): Run[];
  /** Returns the letters, at most 20, that no font could draw so far. */
  undrawn(): string;
}

/** Words whose letters change shape with their neighbours, and any letter with a combining mark. */
const SHAPED =
  /(?:[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Thai}\u200c\u200d]\p{M}*|[^\s\p{M}]\p{M}+)+/gu;
/** Drawn where no font has a glyph. */
const UNKNOWN = '\ufffd';
/** Looks like any other space, and is copied as one. */
const NO_BREAK_SPACE = '\u00a0';
const LETTER = /^[\p{L}\p{N}]$/u;
const MOST_UNDRAWN = 20;
const INVISIBLE = /^\p{Default_Ignorable_Code_Point}$/u;

/** The letters of which Thai and Lao AM consist. */
const HALVES = [0x0e_4d, 0x0e_32, 0x0e_cd, 0x0e_b2] as const;

/** Maximum word length in the cache. */
const LONGEST_KEPT = 50;

interface Letter {
  readonly font: PdfFont;
  readonly glyph: Glyph | undefined;
}

/** Opens fonts on demand: our own, then those in `folder`. */
export function openFonts(doc: PdfDocument, folder: string): Fonts {
  const opened = new Map<string, PdfFont>();
  const words = new LRUCache<string, Run>({ max: 5000 });
  const undrawn = new Set<string>();
  const unusable = new Set<string>();
  let system: readonly FontFile[] | undefined;
  const letters = { normal: new Map<string, Letter>(), bold: new Map<string, Letter>() };

  function open({ path, face }: FontFile): PdfFont {
    const known = opened.get(path);
    if (known) return known;
    const font = doc.font(path, face)._font;
    // Glyphs keep the letters for which they are made first: the second half of ำ would have none, and every า be lost
    // when text is copied.
    for (const code of HALVES) if (font.font.hasGlyphForCodePoint(code)) font.font.glyphForCodePoint(code);
    opened.set(path, font);
    return font;
  }

  /** A system font file may be damaged or lack the face; then other fonts are tried. */
  function tryOpen(file: FontFile): PdfFont | undefined {
    if (unusable.has(file.path)) return undefined;
    try {
      return open(file);
    } catch (error) {
      if (!system?.includes(file)) throw error;
      unusable.add(file.path);
      return undefined;
    }
  }

  function fontWith(text: string, weight: Weight): PdfFont | undefined {
    const codes = Array.from(text, (char) => char.codePointAt(0) ?? 0);
    const draws = (font: PdfFont) => codes.every((code) => font.font.hasGlyphForCodePoint(code));
    return firstOf(ownFonts[weight], draws) ?? firstOf((system ??= systemFonts(folder)), draws);
  }

  function firstOf(files: readonly FontFile[], draws: (font: PdfFont) => boolean): PdfFont | undefined {
    for (const file of files) {
      const font = tryOpen(file);
      if (font && draws(font)) return font;
    }
    return undefined;
  }

  function letter(char: string, weight: Weight): Letter {
    const known = letters[weight].get(char);
    if (known) return known;
    const found = fontWith(char, weight);
    const font = found ?? open({ path: NORMAL_FONT });
    if (!found && LETTER.test(char) && undrawn.size < MOST_UNDRAWN) undrawn.add(char);
    const drawn = found ? char : UNKNOWN;
    const glyph = INVISIBLE.test(char) ? undefined : shape(font, char === NO_BREAK_SPACE ? ' ' : drawn)[0];
    const made = { font, glyph };
    letters[weight].set(char, made);
    return made;
  }

  function plain(text: string, weight: Weight): Run[] {
    const runs: { font: PdfFont; glyphs: Glyph[] }[] = [];
    for (const char of text) {
      const { font, glyph } = letter(char, weight);
      if (!glyph) continue;
      const last = runs.at(-1);
      if (last?.font === font) last.glyphs.push(glyph);
      else runs.push({ font, glyphs: [glyph] });
    }
    return runs;
  }

  /** Shaping takes tenths of a millisecond, and words repeat. */
  function shaped(word: string, weight: Weight): Run | undefined {
    const key = `${weight} ${word}`;
    const known = words.get(key);
    if (known) return known;
    const font = fontWith(word, weight);
    if (!font) return undefined;
    const run = { font, glyphs: shape(font, word) };
    if (word.length <= LONGEST_KEPT) words.set(key, run);
    return run;
  }

  return {
    runs(text, weight) {
      const runs: Run[] = [];
      let done = 0;
      for (const { 0: word, index } of text.matchAll(SHAPED)) {
        const run = shaped(word, weight);
        if (!run) continue;
        runs.push(...plain(text.slice(done, index), weight), run);
        done = index + word.length;
      }
      runs.push(...plain(text.slice(done), weight));
      return runs;
    },
    undrawn: () => [...undrawn].join(''),
  };
}

export function widthOf(runs: readonly Run[]): number {
  let sum = 0;
  for (const { glyphs } of runs) for (const { advance } of glyphs) sum += advance;
  return sum;
}

function shape(font: PdfFont, text: string): Glyph[] {
  const [hex, positions] = font.encode(text, []);
  return positions.map(({ advanceWidth, xAdvance, xOffset, yOffset }, at) => ({
    hex: hex[at] ?? '0000',
    width: advanceWidth,
    advance: xAdvance,
    right: xOffset,
    up: yOffset,
  }));
}
