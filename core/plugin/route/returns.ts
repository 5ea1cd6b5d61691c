// Response declarations: a record, a page, a file. The surface adds its own envelope.
import type { Readable } from 'node:stream';
import type { Timestamp } from '@keelson/kit/time.ts';
import type { Page } from '@keelson/list/page/page.ts';
import type { ByteRange } from '@keelson/storage';
import { z } from 'zod';
import type { AnswerOf, Answered } from './shown.ts';

/** The value `handle` returns for `file(…)`. */
export interface FileAnswer {
  /** The download's file name. */
  readonly name: string;
  readonly type: string;
  readonly body: Readable | Buffer | string;
}

/** The value `handle` returns for `stored()`. */
export interface StoredAnswer {
  /** The download's file name. */
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** SHA-256 of the whole file, in hex. */
  readonly sha256: string;
  readonly modified: Timestamp;
  /** Opens the file or a range of it. Not called when the caller's cached copy is current. */
  open(range?: ByteRange): Promise<Readable>;
}

export interface AssetAnswer {
  readonly type: string;
  readonly body: Buffer | string;
}

/** A document from an outside author, such as a mail. Sanitise it first. */
export interface FramedAnswer {
  readonly html: string;
  /** Whether the browser may load external images. */
  readonly pictures: boolean;
}

export interface PageAnswer {
  readonly status?: number;
  readonly html?: string;
  /** A path of this product to redirect to. Validate any path the caller supplied. */
  readonly location?: string;
}

/** The write side of an event stream. */
export interface EventSink {
  /** Bytes the client has not read yet. */
  readonly waiting: number;
  write(text: string): void;
  /** Ends the stream. `cut` discards what the client has not read. */
  end(how?: 'cut'): void;
  /** Runs `work` once the stream closes, from either side. */
  onClose(work: () => void): void;
  /** Returns the caller under the current credential, or undefined if it is no longer valid. Does not count as use. */
  caller(): Promise<unknown>;
}

/** The value `handle` returns for `stream()`. */
export interface StreamAnswer {
  /** Takes over the stream once the response headers are sent. */
  readonly open: (sink: EventSink) => void;
}

export type ReturnsKind =
  | 'item'
  | 'added'
  | 'list'
  | 'all'
  | 'flat'
  | 'nothing'
  | 'file'
  | 'stored'
  | 'asset'
  | 'page'
  | 'framed'
  | 'stream';

/** A route's response: its status, envelope and inner shape. */
export interface Returns<Value> {
  readonly kind: ReturnsKind;
  readonly status: number;
  readonly shape: z.ZodType | undefined;
  /** The array's name on the helpdesk surface (S-02), or the id's name in a CRM deletion response. */
  readonly key: string;
  /** Media types of a file. */
  readonly types: readonly string[];
  /** The value of `handle` comes from a view and is not serialised again. */
  readonly shown: boolean;
  /** The table of the view that its rows come from. */
  readonly of?: string | undefined;
  readonly _value?: Value;
}

const returns = <Value>(
  kind: ReturnsKind,
  status: number,
  shape?: Answered,
  key = '',
  types: readonly string[] = [],
) => {
  const shown = shape !== undefined && !(shape instanceof z.ZodType);
  const of = shown ? shape.of?.table.name : undefined;
  return Object.freeze({ kind, status, shape: shown ? shape.shape : shape, key, types, shown, of }) as Returns<Value>;
};

/** Returns one record in the surface's envelope, with status 200. */
export const item = <S extends Answered>(shape: S) => returns<AnswerOf<S>>('item', 200, shape);
/** Returns a new record in the surface's envelope, with status 201. */
export const created = <S extends Answered>(shape: S) => returns<AnswerOf<S>>('item', 201, shape);
/** Returns a record with 201 if it was added or 200 if it existed. `handle` returns `{ row, added }` (D-09, W-09). */
export const added = <S extends Answered>(shape: S) =>
  returns<{ readonly row: AnswerOf<S>; readonly added: boolean }>('added', 201, shape);
/** Returns a page: `handle` returns `{ rows, total }`. `key` is the array's name on the helpdesk surface (S-02). */
export const list = <S extends Answered>(shape: S, key = 'items') =>
  returns<Page<AnswerOf<S>>>('list', 200, shape, key);
/** Returns a short unpaged list: `handle` returns the rows (P-09). */
export const all = <S extends Answered>(shape: S, key = 'items') =>
  returns<readonly AnswerOf<S>[]>('all', 200, shape, key);
/** Returns exactly this object, without an envelope, where a specification fixes the whole response. */
export const flat = <S extends z.ZodType>(shape: S, status = 200) => returns<z.input<S>>('flat', status, shape);
/** Returns nothing, after a deletion. `idName` is the id's name in the CRM's response (N-12). */
export const nothing = (idName = '') => returns<void>('nothing', 204, undefined, idName);
/** Returns a download of one of these media types: `handle` returns `{ name, type, body }`. */
export const file = (...types: string[]) => returns<FileAnswer>('file', 200, undefined, '', types);
/** Returns a stored file as a download, whole or in part (`Range`). `handle` returns the file. */
export const stored = () => returns<StoredAnswer>('stored', 200, undefined, '', ['*/*']);
/** Returns a public text or image of one of these media types, with an ETag, cached for five minutes. */
export const asset = (...types: string[]) => returns<AssetAnswer>('asset', 200, undefined, '', types);
/** Returns a server-rendered page or a redirect. Only on the pages surface. */
export const page = () => returns<PageAnswer>('page', 200, undefined, '', ['text/html']);
/**
 * Returns a document from an outside author, for a sandboxed frame in one of our pages. Scripts, forms and external
 * content are blocked, except images if `handle` allows them: it returns `{ html, pictures }`.
 */
export const framed = () => returns<FramedAnswer>('framed', 200, undefined, '', ['text/html']);
/** Returns server-sent events until either side closes: `handle` returns `{ open }`. */
export const stream = () => returns<StreamAnswer>('stream', 200, undefined, '', ['text/event-stream']);
