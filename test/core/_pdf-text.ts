// Reads the texts and positions of each page of our PDFs.
import { inflateSync } from 'node:zlib';

export interface Shown {
  readonly text: string;
  /** Distance from the left and the bottom of the page, in points. */
  readonly x: number;
  readonly y: number;
}

const OBJECT = /(\d+) 0 obj\n(<<[^]*?>>)\n(?:stream\n|endobj)/g;

/** Returns the texts of every page in drawing order. Right-to-left text stays in drawing order. */
export function pagesOf(pdf: Buffer): Shown[][] {
  const objects = objectsOf(pdf);
  const reference = (dict: string, name: string) =>
    objects.get(new RegExp(`/${name} (\\d+) 0 R`).exec(dict)?.[1] ?? '');
  return [...objects.values()]
    .filter(({ dict }) => /\/Type \/Page\b/.test(dict))
    .map(({ dict }) => {
      const resources = reference(dict, 'Resources')?.dict ?? '';
      const shown = shownBy(reference(dict, 'Contents')?.stream ?? '', fontsOf(resources, objects));
      const count = reference(resources, 'Pages');
      const last = shown.at(-1);
      if (count && last)
        shown.push(...shownBy(count.stream, fontsOf(count.dict, objects)).map(({ text }) => ({ ...last, text })));
      return shown;
    });
}

/** Returns all texts of a page, one per line. */
export const textOf = (page: readonly Shown[]): string => page.map(({ text }) => text).join('\n');

interface PdfObject {
  readonly dict: string;
  readonly stream: string;
}

function objectsOf(pdf: Buffer): Map<string, PdfObject> {
  const objects = new Map<string, PdfObject>();
  for (const found of pdf.toString('latin1').matchAll(OBJECT)) {
    const [all, id = '', dict = ''] = found;
    const length = Number(/\/Length (\d+)/.exec(dict)?.[1] ?? 0);
    const from = found.index + all.length;
    const raw = pdf.subarray(from, from + length);
    const packed = all.endsWith('stream\n') && dict.includes('/FlateDecode');
    objects.set(id, { dict, stream: packed ? inflateSync(raw).toString('latin1') : '' });
  }
  return objects;
}

type Letters = ReadonlyMap<string, string>;

function fontsOf(dict: string, objects: ReadonlyMap<string, PdfObject>): Map<string, Letters> {
  const fonts = new Map<string, Letters>();
  for (const [, name = '', id = ''] of dict.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id)?.dict ?? '')?.[1] ?? '';
    fonts.set(name, lettersOf(objects.get(map)?.stream ?? ''));
  }
  return fonts;
}

/** Parses a character map as pdfkit writes it: `<0000> <00ff> [<0020> <0041 0301>]`. */
function lettersOf(map: string): Letters {
  const letters = new Map<string, string>();
  for (const [, first = '', list = ''] of map.matchAll(/<(\w+)> <\w+> \[([^\]]*)\]/g)) {
    for (const [at, [, units = '']] of [...list.matchAll(/<([^>]*)>/g)].entries()) {
      const glyph = (Number.parseInt(first, 16) + at).toString(16).padStart(4, '0');
      const codes = units.match(/\w{4}/g) ?? [];
      letters.set(glyph, String.fromCharCode(...codes.map((unit) => Number.parseInt(unit, 16))));
    }
  }
  return letters;
}

function shownBy(content: string, fonts: ReadonlyMap<string, Letters>): Shown[] {
  const shown: Shown[] = [];
  for (const [block, x, y] of content.matchAll(/BT 1 0 0 1 ([\d.-]+) ([\d.-]+) Tm[^]*?ET/g)) {
    let letters: Letters | undefined;
    let text = '';
    for (const [, font, glyphs] of block.matchAll(/\/(F\d+) [\d.]+ Tf|<(\w+)>/g)) {
      if (font !== undefined) letters = fonts.get(font);
      for (const glyph of glyphs?.match(/\w{4}/g) ?? []) text += letters?.get(glyph) ?? '?';
    }
    shown.push({ text, x: Number(x), y: Number(y) });
  }
  return shown;
}
