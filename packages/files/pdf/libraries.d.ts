// Types for the parts of three libraries that PDF documents use. Their own types omit pages and fonts, or are missing.
declare module 'pdfkit' {
  import type { Readable } from 'node:stream';

  interface PdfReference {
    readonly data: Record<string, unknown>;
    end(content?: string): void;
  }

  interface PdfGlyphPosition {
    /** Thousandths of the font size. */
    readonly xAdvance: number;
    readonly xOffset: number;
    readonly yOffset: number;
    /** The glyph's advance without positioning. */
    readonly advanceWidth: number;
  }

  interface PdfFont {
    /** The name pages refer to it by. */
    readonly id: string;
    readonly font: {
      hasGlyphForCodePoint(codePoint: number): boolean;
      glyphForCodePoint(codePoint: number): unknown;
    };
    /** Returns glyphs in drawing order, as hexadecimal numbers. With `features` the text is shaped as a whole. */
    encode(text: string, features?: readonly string[]): [readonly string[], readonly PdfGlyphPosition[]];
    ref(): PdfReference;
  }

  interface PdfImage {
    /** The name pages refer to it by. */
    readonly label: string;
    readonly width: number;
    readonly height: number;
    readonly obj: PdfReference;
    /** Writes the image into the document. */
    embed(document: PdfDocument): void;
  }

  interface PdfPage {
    readonly width: number;
    readonly height: number;
    readonly fonts: Record<string, PdfReference>;
    readonly xobjects: Record<string, PdfReference>;
  }

  interface PdfOptions {
    readonly size: 'A4';
    readonly layout: 'landscape' | 'portrait';
    readonly margin: number;
    readonly autoFirstPage: false;
    readonly font: string;
    readonly fontLayoutCache: false;
    readonly lang: string;
    readonly displayTitle: boolean;
    readonly info: { readonly Title: string; readonly Author: string; readonly CreationDate: Date };
  }

  interface PdfDocument extends Readable {
    readonly page: PdfPage;
    /** The font selected by `font()`. */
    readonly _font: PdfFont;
    /** `face` names a font of a collection. */
    font(path: string, face?: string): this;
    /** @throws Error when it is neither PNG nor JPEG, or broken */
    openImage(bytes: Buffer): PdfImage;
    addPage(): this;
    addContent(operators: string): this;
    ref(data: Record<string, unknown>): PdfReference;
    end(): void;
  }

  const PDFDocument: new (options: PdfOptions) => PdfDocument;
  export default PDFDocument;
  export type { PdfDocument, PdfFont, PdfGlyphPosition, PdfImage, PdfReference };
}

declare module 'linebreak' {
  /** Finds line-break opportunities by the Unicode rules (UAX 14). */
  export default class LineBreaker {
    constructor(text: string);
    nextBreak(): { readonly position: number; readonly required: boolean } | null;
  }
}

declare module 'bidi-js' {
  interface Levels {
    /** Per character: odd where it is read from right to left. */
    readonly levels: Uint8Array;
  }
  /** Implements the Unicode bidirectional algorithm (UAX 9). */
  export default function bidiFactory(): {
    getEmbeddingLevels(text: string, base: 'ltr' | 'rtl'): Levels;
    /** Returns the character indices in drawing order. */
    getReorderedIndices(text: string, levels: Levels): number[];
    getMirroredCharacter(char: string): string | null;
  };
}
