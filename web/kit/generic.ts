// Pages made from declarations alone: a list and a record, with what the OpenAPI documents say of their fields.
import type { BodySchema, Fields } from './fields.ts';
import type { IconName } from './icons.ts';

/** An operation that a generic page offers, to those who hold its permission. */
export interface ActDeclaration {
  readonly title?: string;
  readonly operation: string;
  /** The name of the permission; null where the page's own is enough. */
  readonly access?: string | null;
  /** The fields its form has; without it all of the body's. */
  readonly fields?: readonly string[];
  /** What is asked before it is done. */
  readonly confirm?: string;
  readonly body?: BodySchema | null;
}

export interface ListDeclaration {
  readonly title: string;
  readonly path: string;
  readonly list: string;
  /** Constant arguments, such as a status. */
  readonly given?: Readonly<Record<string, unknown>>;
  readonly id: string;
  readonly columns: readonly string[];
  readonly filters?: readonly string[];
  /** `/assets/:id` */
  readonly open?: string | null;
  readonly create?: ActDeclaration | null;
  /** Where a record is made on a page of its own. */
  readonly createPage?: { readonly title: string; readonly path: string } | null;
  /** Other ways to make a record. */
  readonly acts?: readonly ActDeclaration[];
  /** Pages that belong to the list, offered to those who may see them. */
  readonly links?: readonly { readonly title: string; readonly path: string; readonly icon: IconName }[];
  /** Of a row of the answer. */
  readonly fields: Fields;
  /** Of the query. */
  readonly query: Fields;
  readonly empty?: string;
  /** What its rows are, within a sentence, where the title is no plural. */
  readonly rows?: string;
}

export interface RelatedDeclaration {
  readonly title: string;
  readonly list: string;
  /** Query parameters from the record's fields: `{ asset_id: 'asset_id' }`. */
  readonly with: Readonly<Record<string, string>>;
  readonly columns: readonly string[];
  readonly id?: string;
  readonly open?: string | null;
  readonly fields: Fields;
  readonly create?: ActDeclaration | null;
}

export interface SheetDeclaration {
  readonly title: string;
  readonly path: string;
  readonly read: string;
  readonly heading: string;
  readonly facts: readonly string[];
  /** Long texts, shown in the middle. */
  readonly texts?: readonly string[];
  /** Lists within the record itself, such as the lines of an invoice. */
  readonly parts?: readonly {
    readonly title: string;
    readonly field: string;
    readonly columns: readonly string[];
    /** The member that names a row, and the row's page. */
    readonly id?: string;
    readonly open?: string;
  }[];
  readonly change?: ActDeclaration | null;
  readonly remove?: ActDeclaration | null;
  readonly acts?: readonly ActDeclaration[];
  readonly related?: readonly RelatedDeclaration[];
  readonly fields: Fields;
  /** The path whose attachments belong to it. */
  readonly files?: string;
  /** A slot for panels of other plugins, handed the record. */
  readonly slot?: string | null;
}

/** The argument of an operation that names the record: `id` of `GET /assets.php?id={id}`. */
export const idArgument = (operation: string): string => /\{(\w+)\}/.exec(operation)?.[1] ?? 'id';

/** `/assets.php` of `GET /assets.php?id={id}`. */
export const pathOf = (operation: string): string =>
  ((operation.split(' ')[1] ?? '').split(/[?{]/)[0] ?? '').replace(/\/$/, '');
