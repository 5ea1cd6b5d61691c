// Pages of a document and how to draw on them: lines of text, rules, the footer and the page number.
import type { PdfDocument, PdfImage } from 'pdfkit';
import { widthOf, type Fonts, type Run, type Weight } from './fonts.ts';
import { startsRight, type Typesetter } from './text.ts';

export interface Place {
  readonly x: number;
  /** From the top of the page. */
  readonly y: number;
  /** The available width. Right-to-left text starts at its right edge. */
  readonly width: number;
  /** Right-aligns the text, as for numbers. */
  readonly end?: boolean;
  /** For example `#1e3a5f`. Default: black. */
  readonly colour?: string;
}

export interface SheetSize {
  readonly width: number;
  readonly height: number;
}

export const LANDSCAPE: SheetSize = Object.freeze({ width: 841.89, height: 595.28 });
export const PORTRAIT: SheetSize = Object.freeze({ width: 595.28, height: 841.89 });

export interface Sheet extends SheetSize {
  /** Finishes the current page and starts a new one. */
  turn(): void;
  text(line: string, weight: Weight, size: number, place: Place): void;
  rule(y: number, thick: number, from?: number): void;
  /** Draws a coloured bar from margin to margin. */
  bar(y: number, height: number, colour: string): void;
  image(image: PdfImage, place: { readonly x: number; readonly y: number } & SheetSize): void;
  /** Finishes the last page and fills in the total number of pages on each. */
  end(): void;
}

export const MARGIN = 28;
const FOOT_SIZE = 7;
const FOOT_BASELINE = 18;
/** Room for "of 1000" at most, to the right of "Page 7". */
const COUNT_WIDTH = 26;
const ASCENT = 0.93;

export function sheetOf(
  doc: PdfDocument,
  fonts: Fonts,
  typesetter: Typesetter,
  {
    foot,
    size = LANDSCAPE,
    pageOf = 'Page {page} of',
  }: { readonly foot: string; readonly size?: SheetSize; readonly pageOf?: string },
): Sheet {
  const right = size.width - MARGIN;
  // The page total is known only at the end, so every page refers to one drawing that is filled in then.
  const count = doc.ref({ Type: 'XObject', Subtype: 'Form', BBox: [0, -5, COUNT_WIDTH, 15] });
  let drawn: string[] = [];
  let pages = 0;

  function show(runs: readonly Run[], points: number, x: number, baseline: number, colour = '#000000'): void {
    drawn.push(`${parts(colour)} rg BT 1 0 0 1 ${short(x)} ${short(baseline)} Tm`);
    for (const run of runs) {
      doc.page.fonts[run.font.id] ??= run.font.ref();
      drawn.push(operators(run, points));
    }
    drawn.push('ET');
  }

  function finish(): void {
    if (pages === 0) return;
    const line = typesetter.wrap(foot, 'normal', ((right - MARGIN - 120) / FOOT_SIZE) * 1000)[0] ?? '';
    show(typesetter.runs(line, 'normal'), FOOT_SIZE, MARGIN, FOOT_BASELINE);
    const page = fonts.runs(`${pageOf.replace('{page}', String(pages))} `, 'normal');
    const start = right - COUNT_WIDTH;
    show(page, FOOT_SIZE, start - (widthOf(page) * FOOT_SIZE) / 1000, FOOT_BASELINE);
    doc.page.xobjects['Pages'] = count;
    drawn.push(`q 1 0 0 1 ${short(start)} ${FOOT_BASELINE} cm /Pages Do Q`);
    // pdfkit flips the coordinate system of each new page.
    doc.addContent(`1 0 0 -1 0 ${size.height} cm\n${drawn.join('\n')}`);
    drawn = [];
  }

  return {
    ...size,
    turn() {
      finish();
      doc.addPage();
      pages++;
    },
    text(line, weight, points, { x, y, width, end = startsRight(line), colour }) {
      const runs = typesetter.runs(line, weight);
      const shift = end ? Math.max(0, width - (widthOf(runs) * points) / 1000) : 0;
      show(runs, points, x + shift, size.height - y - points * ASCENT, colour);
    },
    rule(y, thick, from = MARGIN) {
      const at = short(size.height - y);
      drawn.push(`${thick} w 0.6 G ${short(from)} ${at} m ${short(right)} ${at} l S`);
    },
    bar(y, height, colour) {
      const low = short(size.height - y - height);
      drawn.push(`${parts(colour)} rg ${MARGIN} ${low} ${short(right - MARGIN)} ${height} re f`);
    },
    image(image, { x, y, width, height }) {
      image.embed(doc);
      doc.page.xobjects[image.label] = image.obj;
      const low = short(size.height - y - height);
      drawn.push(`q ${short(width)} 0 0 ${short(height)} ${short(x)} ${low} cm /${image.label} Do Q`);
    },
    end() {
      finish();
      const number = fonts.runs(String(pages), 'normal');
      count.data['Resources'] = { Font: Object.fromEntries(number.map(({ font }) => [font.id, font.ref()])) };
      count.end(`BT 1 0 0 1 0 0 Tm ${number.map((run) => operators(run, FOOT_SIZE)).join(' ')} ET`);
      doc.end();
    },
  };
}

/** Draws a run's glyphs in sequence, with the offsets of their font. */
export function operators({ font: { id }, glyphs }: DrawnRun, points: number): string {
  const shown: string[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') shown.push(`[${text}] TJ`);
    text = '';
  };
  let up = 0;
  // How far the pen must move back before the next glyph: two adjacent numbers would be read as one.
  let back = 0;
  for (const glyph of glyphs) {
    if (glyph.up !== up) {
      flush();
      shown.push(`${short((glyph.up * points) / 1000)} Ts`);
      up = glyph.up;
    }
    back -= glyph.right;
    const move = Math.abs(back) > 0.01 ? short(back) : '';
    // Adjacent glyphs without offsets form one string.
    if (move === '' && text.endsWith('>')) text = `${text.slice(0, -1)}${glyph.hex}>`;
    else text += `${move}<${glyph.hex}>`;
    back = glyph.right + glyph.width - glyph.advance;
  }
  if (Math.abs(back) > 0.01) text += short(back);
  flush();
  if (up !== 0) shown.push('0 Ts');
  return `/${id} ${points} Tf ${shown.join(' ')}`;
}

interface DrawnRun {
  readonly font: Pick<Run['font'], 'id'>;
  readonly glyphs: Run['glyphs'];
}

/** Converts `#1e3a5f` to the three numbers PDF operators take. */
const parts = (colour: string): string =>
  [1, 3, 5].map((at) => short(Number.parseInt(colour.slice(at, at + 2), 16) / 255)).join(' ');

const short = (value: number): string => String(Math.round(value * 100) / 100);
