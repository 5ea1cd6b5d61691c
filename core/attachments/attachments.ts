// Declares that a record has attachments: who may read and add them, and on which surfaces.
import type { Row, Table } from '../database/table.ts';
import type { Filter } from '../list/list.ts';
import type { Context } from '../plugin/context.ts';
import type { Attached } from '../plugin/plugin.ts';
import type { Access } from '../plugin/surface.ts';
import type { Noun } from '../record/noun.ts';
import { admin, type Admin } from '../surfaces/admin.ts';
import { helpdesk, type Employee } from '../surfaces/helpdesk.ts';
import { routesOf } from './attachment-routes.ts';

/** Attachments on one surface: which records the caller sees and may change. */
export type AttachmentFace<Actor, T extends Table, P extends Table> = {
  /** The path of the record: `/tickets.php` on the administrative surface, `/tickets` on the helpdesk. */
  readonly path: string;
  /** What the path calls the record's id; `id` when absent. */
  readonly key?: string;
  readonly read: Access<Actor>;
  /** Who may add and delete attachments: whoever may change the record. Nobody on this surface when absent. */
  readonly write?: Access<Actor>;
  /** Which parts the surface shows; all when absent. Attachments of others are not there for it. */
  readonly parts?: Partial<Row<P>>;
  /** The upload is in the specification, and not an addition. */
  readonly documented?: boolean;
} & (AttachmentSight<Actor, T> | { readonly view: SeenThrough<Actor, T> });

/** A view that says which records the caller sees. */
export interface SeenThrough<Actor, T extends Table> {
  readonly of: Noun<T, any, any>;
  readonly visible: (ctx: Context<Actor>) => readonly Filter[];
}

/** The ids in a path, by their names: `{ project_id: 1, item_id: 7 }`. */
export type PathIds = Readonly<Record<string, number>>;

/** How a record is found for its attachments, where no view says it. */
export interface AttachmentSight<Actor, T extends Table> {
  /** The record, as far as the caller may see it; `ids` are those of the whole path. @throws notFound() */
  find(ctx: Context<Actor>, id: number, ids: PathIds): Promise<Row<T>>;
  /** The same, locked, for somebody who may change it. */
  lock(ctx: Context<Actor>, id: number, ids: PathIds): Promise<Row<T>>;
}

/** What attachments of a record need to know of it, and the surfaces that have them. */
export interface AttachmentOptions<T extends Table, P extends Table> {
  /** The company whose room the files take. */
  company(row: Row<T>): number | null;
  /** The record's name in the activity log: a ticket's number. */
  call(row: Row<T>): string | number;
  /** Parts that an attachment may name: `{ table: TicketComment, record: 'ticket_id' }` makes it `comment_id`. */
  readonly parts?: { readonly table: P; readonly record: keyof Row<P> & string };
  /** Which files are taken: per ending of the name the types that its first bytes may have. All files when absent. */
  readonly accepts?: ReadonlyMap<string, readonly string[]>;
  readonly admin?: AttachmentFace<Admin, T, P>;
  readonly helpdesk?: AttachmentFace<Employee, T, P>;
}

/**
 * Declares that a record has attachments, with the routes to list, upload, download and delete them on the surfaces it
 * names. Who sees the record sees its attachments; who may change it may add and delete some.
 */
export function attachments<T extends Table, P extends Table = never>(
  of: Noun<T, any, any>,
  options: AttachmentOptions<T, P>,
): Attached {
  const noun = of.title.toLowerCase();
  const the = { table: of.table, noun, options };
  const routes = [
    ...(options.admin
      ? routesOf(admin, adminPaths(options.admin.path), the, options.admin, ['all attachments', 'any'])
      : []),
    ...(options.helpdesk
      ? routesOf(helpdesk, helpdeskPaths(options.helpdesk), the, options.helpdesk, ['attachments', aOrAn(noun)])
      : []),
  ];
  return Object.freeze({ of: of.table, noun, call: options.call, routes: Object.freeze(routes) });
}

export interface Paths {
  readonly all: string;
  readonly one: string;
}

const adminPaths = (path: string): Paths => ({
  all: `${path}?action=attachments&id={id}`,
  one: `${path}?action=attachment&id={id}&attachment_id={attachment_id}`,
});
const helpdeskPaths = ({ path, key = 'id' }: { readonly path: string; readonly key?: string }): Paths => ({
  all: `${path}/{${key}}/attachments`,
  one: `${path}/{${key}}/attachments/{attachment_id}`,
});
const aOrAn = (noun: string): string => (/^[aeiou]/.test(noun) ? 'an' : 'a');
