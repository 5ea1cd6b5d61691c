// What a route answers: a record, a page, a file. The surface puts its own envelope around it.
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { Page } from '../list/list.ts';
import type { Timestamp } from '../kit/time.ts';
import type { ByteRange } from '../storage/storage.ts';
import type { AnswerOf, Answered } from './shown.ts';

/** What `handle` answers where a route returns `file(…)`. */
export interface FileAnswer {
  /** The file name for downloads. */
  readonly name: string;
  readonly type: string;
  readonly body: Readable | Buffer | string;
}

/** What `handle` answers where a route returns `stored()`. */
export interface StoredAnswer {
  /** The file name for downloads. */
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** The hash of the whole file, in hex. */
  readonly sha256: string;
  readonly modified: Timestamp;
  /** Opens the file, or a part of it. It is not called when the caller has the file already. */
  open(range?: ByteRange): Promise<Readable>;
}

export interface AssetAnswer {
  readonly type: string;
  readonly body: Buffer | string;
}

export interface PageAnswer {
  readonly status?: number;
  readonly html?: string;
  /** A path of ours to redirect to; one that a caller sent must have been checked to be ours. */
  readonly location?: string;
}

/** Where a stream of events is written. */
export interface EventSink {
  /** Bytes that the client has not taken yet. */
  readonly waiting: number;
  write(text: string): void;
  /** Ends the stream; `cut` does not wait for what the client has not taken. */
  end(how?: 'cut'): void;
  /** Runs `work` once the stream is over, whoever ended it. */
  onClose(work: () => void): void;
  /** The caller as their credential says now; undefined when it no longer counts. To ask is no use of the credential. */
  caller(): Promise<unknown>;
}

/** What `handle` answers where a route returns `stream()`. */
export interface StreamAnswer {
  /** Takes the stream over once the answer's headers are sent. */
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
  | 'stream';

/** The answer of a route: its status, its envelope and the shape inside it. */
export interface Returns<Value> {
  readonly kind: ReturnsKind;
  readonly status: number;
  readonly shape: z.ZodType | undefined;
  /** The array's name on the helpdesk surface (S-02), or the id's name in the answer to a CRM deletion. */
  readonly key: string;
  /** Media types of a file. */
  readonly types: readonly string[];
  /** The value of `handle` comes from a view and is not serialised again. */
  readonly shown: boolean;
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
  return Object.freeze({ kind, status, shape: shown ? shape.shape : shape, key, types, shown }) as Returns<Value>;
};

/** Returns one record in the surface's envelope, with status 200. */
export const item = <S extends Answered>(shape: S) => returns<AnswerOf<S>>('item', 200, shape);
/** Returns a new record in the surface's envelope, with status 201. */
export const created = <S extends Answered>(shape: S) => returns<AnswerOf<S>>('item', 201, shape);
/** Returns a record with 201 if it was added, or 200 if it existed: `handle` answers `{ row, added }` (D-09, W-09). */
export const added = <S extends Answered>(shape: S) =>
  returns<{ readonly row: AnswerOf<S>; readonly added: boolean }>('added', 201, shape);
/** Returns a page: `handle` answers `{ rows, total }`. `key` is the array's name on the helpdesk surface (S-02). */
export const list = <S extends Answered>(shape: S, key = 'items') =>
  returns<Page<AnswerOf<S>>>('list', 200, shape, key);
/** Returns a short list without pages: `handle` answers the rows (P-09). */
export const all = <S extends Answered>(shape: S, key = 'items') =>
  returns<readonly AnswerOf<S>[]>('all', 200, shape, key);
/** Returns exactly this object, without an envelope, where a document specifies the whole answer. */
export const flat = <S extends z.ZodType>(shape: S, status = 200) => returns<z.input<S>>('flat', status, shape);
/** Returns nothing, after a deletion; `idName` is the id's name in the CRM's answer (N-12). */
export const nothing = (idName = '') => returns<void>('nothing', 204, undefined, idName);
/** Returns a download of one of these media types: `handle` answers `{ name, type, body }`. */
export const file = (...types: string[]) => returns<FileAnswer>('file', 200, undefined, '', types);
/** Returns a stored file as a download, whole or in part (`Range`): `handle` says which. */
export const stored = () => returns<StoredAnswer>('stored', 200, undefined, '', ['*/*']);
/** Returns a public text or picture of one of these media types, with an ETag and cached for five minutes. */
export const asset = (...types: string[]) => returns<AssetAnswer>('asset', 200, undefined, '', types);
/** Returns a server-rendered page or a redirect; only on the pages surface. */
export const page = () => returns<PageAnswer>('page', 200, undefined, '', ['text/html']);
/** Returns server-sent events until either side ends them: `handle` answers `{ open }`. */
export const stream = () => returns<StreamAnswer>('stream', 200, undefined, '', ['text/event-stream']);
