// What a record declares about its attachments.
import type { Row, Table } from '@keelson/database/schema/table.ts';
import type { Filter } from '@keelson/list/list.ts';
import type { Context } from '../plugin/context.ts';
import type { Access } from '../plugin/route/surface.ts';
import type { Noun } from '../record/noun.ts';
import type { Admin } from '../surfaces/admin.ts';
import type { Employee } from '../surfaces/helpdesk.ts';

/** Attachments on one surface: which records the caller may see and change. */
export type AttachmentFace<Actor, T extends Table, P extends Table> = {
  /** The path of the record: `/tickets.php` on the administrative surface, `/tickets` on the helpdesk. */
  readonly path: string;
  /** The path's name for the record's id; `id` by default. */
  readonly key?: string;
  readonly read: Access<Actor>;
  /** Who may add and delete attachments: the access to change the record. Without it, the surface is read-only. */
  readonly write?: Access<Actor>;
  /** Which parts the surface shows; all by default. Attachments of other parts do not exist on it. */
  readonly parts?: Partial<Row<P>>;
  /** The upload is in the specification, not an addition. */
  readonly documented?: boolean;
} & (AttachmentSight<Actor, T> | { readonly view: SeenThrough<Actor, T> });

/** A view that determines which records the caller sees. */
export interface SeenThrough<Actor, T extends Table> {
  readonly of: Noun<T, any, any>;
  readonly visible: (ctx: Context<Actor>) => readonly Filter[];
}

/** The ids in the path, by name: `{ project_id: 1, item_id: 7 }`. */
export type PathIds = Readonly<Record<string, number>>;

/** Finds a record for its attachments, if no view does. */
export interface AttachmentSight<Actor, T extends Table> {
  /** Returns the record, if the caller may see it; `ids` contains all ids in the path. @throws notFound() */
  find(ctx: Context<Actor>, id: number, ids: PathIds): Promise<Row<T>>;
  /** Returns the record, locked, for a caller who may change it. */
  lock(ctx: Context<Actor>, id: number, ids: PathIds): Promise<Row<T>>;
}

/** What attachments need to know about their record, and the surfaces that offer them. */
export interface AttachmentOptions<T extends Table, P extends Table> {
  /** Returns the company whose quota the files count towards. */
  company(row: Row<T>): number | null;
  /** Returns the record's name in the activity log: a ticket's number. */
  call(row: Row<T>): string | number;
  /** Parts that an attachment may belong to: `{ table: TicketComment, record: 'ticket_id' }` adds `comment_id`. */
  readonly parts?: { readonly table: P; readonly record: keyof Row<P> & string };
  /** Accepted files: allowed content types by file extension. All files by default. */
  readonly accepts?: ReadonlyMap<string, readonly string[]>;
  readonly admin?: AttachmentFace<Admin, T, P>;
  readonly helpdesk?: AttachmentFace<Employee, T, P>;
}

export interface Paths {
  readonly all: string;
  readonly one: string;
}
