// Draws a table across pages: column widths first, then the rows one by one.
import type { Weight } from './fonts.ts';
import { MARGIN, type Sheet } from './sheet.ts';
import type { Typesetter } from './text.ts';

/** Font size and line height, in points. */
export interface TableStyle {
  readonly size: number;
  readonly leading: number;
}

const SMALL: TableStyle = Object.freeze({ size: 7.5, leading: 9.5 });
/** Cell padding. */
const SIDE = 4;
const ABOVE = 2.5;
const FOOT = 36;

/** Text widths of a column, in points. */
interface Column {
  /** Its widest word. */
  word: number;
  /** Its widest text. */
  whole: number;
}

export interface TableMeasure {
  add(row: readonly string[]): void;
  /** Returns the text width of each column. */
  widths(sheetWidth: number): number[];
}

/** Measures all rows before drawing, so that columns also fit what is on the last page. */
export function measureTable(
  typesetter: Typesetter,
  labels: readonly string[],
  { size }: TableStyle = SMALL,
): TableMeasure {
  const points = (width: number) => (width * size) / 1000;
  const columns = labels.map((label): Column => {
    const word = points(typesetter.word(label, 'bold'));
    return { word, whole: word };
  });
  return {
    add(row) {
      for (const [at, column] of columns.entries()) {
        const text = row[at] ?? '';
        const whole = points(typesetter.width(text, 'normal'));
        if (whole <= column.word) continue;
        column.whole = Math.max(column.whole, whole);
        column.word = Math.max(column.word, points(typesetter.word(text, 'normal')));
      }
    },
    widths: (sheetWidth) => share(columns, sheetWidth - 2 * MARGIN - 2 * SIDE * columns.length),
  };
}

/** Gives each column its widest word where possible, then shares the rest in proportion to text length. */
function share(columns: readonly Column[], room: number): number[] {
  const cap = capOf(
    columns.map(({ word }) => word),
    room,
  );
  const least = columns.map(({ word }) => Math.min(word, cap) + 0.1);
  const rest = Math.max(0, room - sum(least));
  // Beyond half the page a text is wrapped in any case.
  const wishes = columns.map(({ whole }, at) => Math.max(0, Math.min(whole, room / 2) - (least[at] ?? 0)));
  const wished = sum(wishes);
  if (wished === 0) return least.map((each) => each + rest / columns.length);
  const factor = rest / wished;
  return least.map((each, at) => each + (wishes[at] ?? 0) * factor);
}

/** Returns the maximum width per word at which all columns fit. */
function capOf(words: readonly number[], room: number): number {
  let left = room;
  const sorted = words.toSorted((a, b) => a - b);
  for (const [at, word] of sorted.entries()) {
    const fair = left / (sorted.length - at);
    if (word > fair) return fair - 0.1;
    left -= word + 0.1;
  }
  return room;
}

interface TableOptions {
  readonly labels: readonly string[];
  readonly widths: readonly number[];
  readonly top: number;
  /** The right-aligned columns, such as numbers. */
  readonly ends?: readonly boolean[];
  readonly style?: TableStyle;
}

/** Draws rows from `top` on. Each page repeats the header. */
export function tableOn(
  sheet: Sheet,
  typesetter: Typesetter,
  { labels, widths, top, ends = [], style = SMALL }: TableOptions,
) {
  const { size, leading } = style;
  const bottom = sheet.height - FOOT;
  let y = top;
  let first = true;

  const wrapped = (cells: readonly string[], weight: Weight) =>
    widths.map((width, at) => typesetter.wrap(cells[at] ?? '', weight, (width / size) * 1000));

  function drawLines(cells: readonly (readonly string[])[], weight: Weight, from: number, to: number): void {
    let x = MARGIN;
    for (const [at, lines] of cells.entries()) {
      const width = widths[at] ?? 0;
      const end = ends[at] && { end: true };
      for (const [line, text] of lines.slice(from, to).entries()) {
        if (text !== '') sheet.text(text, weight, size, { x: x + SIDE, y: y + ABOVE + line * leading, width, ...end });
      }
      x += width + 2 * SIDE;
    }
    y += 2 * ABOVE + (to - from) * leading;
  }

  const header = wrapped(labels, 'bold');
  // Rows need the other half of each page.
  const headerLines = Math.min(longest(header), Math.floor((bottom - MARGIN) / 2 / leading));

  function begin(): void {
    if (!first) {
      sheet.turn();
      y = MARGIN;
    }
    first = false;
    drawLines(header, 'bold', 0, headerLines);
    sheet.rule(y, 1);
  }

  begin();
  const pageLines = Math.floor((bottom - MARGIN - 4 * ABOVE - headerLines * leading) / leading);
  return {
    /** The y below the table. */
    get y(): number {
      return y;
    },
    row(texts: readonly string[]): void {
      const cells = wrapped(texts, 'normal');
      const lines = longest(cells);
      let done = 0;
      while (done < lines) {
        const room = Math.floor((bottom - y - 2 * ABOVE) / leading);
        const left = lines - done;
        // Only a row longer than a page is split.
        if (room < left && (left <= pageLines || room < 1)) {
          begin();
          continue;
        }
        const next = Math.min(lines, done + room);
        drawLines(cells, 'normal', done, next);
        sheet.rule(y, 0.3);
        done = next;
      }
    },
  };
}

const longest = (cells: readonly (readonly string[])[]): number =>
  cells.reduce((most, { length }) => Math.max(most, length), 1);
const sum = (all: readonly number[]): number => all.reduce((whole, each) => whole + each, 0);
