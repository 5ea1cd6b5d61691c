// The fonts of a document, and text as glyphs. Measures are thousandths of the font size.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { PdfDocument, PdfFont } from 'pdfkit';

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
}

const find = createRequire(import.meta.url);
const dejavu = join(dirname(find.resolve('dejavu-fonts-ttf/package.json')), 'ttf');
const noto = (script: 'sc' | 'kr', file: string) =>
  join(dirname(find.resolve(`@embedpdf/fonts-${script}`)), '..', 'fonts', file);

const google = (name: string, file: string) =>
  join(dirname(find.resolve(`@expo-google-fonts/${name}/package.json`)), '400Regular', `${file}_400Regular.ttf`);

// Each font fills gaps of those before it: Thai, Devanagari, Chinese and Japanese, Korean, emoji.
const others: readonly string[] = [
  google('noto-sans-thai', 'NotoSansThai'),
  google('noto-sans-devanagari', 'NotoSansDevanagari'),
  noto('sc', 'NotoSansHans-Regular.otf'),
  noto('kr', 'NotoSansKR-Regular.otf'),
  google('noto-emoji', 'NotoEmoji'),
];
export const NORMAL_FONT = join(dejavu, 'DejaVuSansCondensed.ttf');
const files: Readonly<Record<Weight, readonly string[]>> = {
  normal: [NORMAL_FONT, ...others],
  bold: [join(dejavu, 'DejaVuSansCondensed-Bold.ttf'), ...others],
};

/** Words whose letters change shape with their neighbours, and any letter with a combining mark. */
const SHAPED =
  /(?:[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Thai}\u200c\u200d]\p{M}*|[^\s\p{M}]\p{M}+)+/gu;
/** Drawn where no font has a glyph. */
const UNKNOWN = '\ufffd';
/** Looks like any other space, and is copied as one. */
const NO_BREAK_SPACE = '\u00a0';
const INVISIBLE = /^\p{Default_Ignorable_Code_Point}$/u;

/** Maximum word length in the cache. */
const LONGEST_KEPT = 50;

interface Letter {
  readonly font: PdfFont;
  readonly glyph: Glyph | undefined;
}

/** Opens fonts on demand. */
export function openFonts(doc: PdfDocument): Fonts {
  const opened = new Map<string, PdfFont>();
  const words = new LRUCache<string, Run>({ max: 5000 });
  const letters = { normal: new Map<string, Letter>(), bold: new Map<string, Letter>() };

  function open(file: string): PdfFont {
    const known = opened.get(file);
    if (known) return known;
    const font = doc.font(file)._font;
    opened.set(file, font);
    return font;
  }

  function fontWith(text: string, weight: Weight): PdfFont | undefined {
    const codes = Array.from(text, (char) => char.codePointAt(0) ?? 0);
    for (const file of files[weight]) {
      const font = open(file);
      if (codes.every((code) => font.font.hasGlyphForCodePoint(code))) return font;
    }
    return undefined;
  }

  function letter(char: string, weight: Weight): Letter {
    const known = letters[weight].get(char);
    if (known) return known;
    const found = fontWith(char, weight);
    const font = found ?? open(NORMAL_FONT);
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
