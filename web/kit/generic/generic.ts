// Pages built from declarations: list and record, with field metadata from the OpenAPI documents.
import type { IconName } from '../components/icons.ts';
import type { BodySchema, Fields } from '../fields.ts';

/** Operation offered on a generic page to holders of its permission. */
export interface ActDeclaration {
  readonly title?: string;
  readonly operation: string;
  /** Permission name; null if page access suffices. */
  readonly access?: string | null;
  /** Form fields; defaults to all fields of the body. */
  readonly fields?: readonly string[];
  /** Confirmation question. */
  readonly confirm?: string;
  /** Offered only while the record's members have one of these values. */
  readonly when?: Readonly<Partial<Record<string, readonly unknown[]>>>;
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
  /** For example `/assets/:id`. */
  readonly open?: string | null;
  readonly create?: ActDeclaration | null;
  /** Separate page for creating a record. */
  readonly createPage?: { readonly title: string; readonly path: string } | null;
  /** Other ways to create a record. */
  readonly acts?: readonly ActDeclaration[];
  /** Related pages, shown to those who have access. */
  readonly links?: readonly { readonly title: string; readonly path: string; readonly icon: IconName }[];
  /** Fields of a response row. */
  readonly fields: Fields;
  /** Fields of the query. */
  readonly query: Fields;
  readonly empty?: string;
  /** Explains the list above its rows. */
  readonly description?: string;
  /** Noun for the rows within a sentence, if the title is not a plural. */
  readonly rows?: string;
}

export interface RelatedDeclaration {
  readonly title: string;
  readonly list: string;
  /** Query parameters taken from the record's fields: `{ asset_id: 'asset_id' }`. */
  readonly with: Readonly<Record<string, string>>;
  /** Fixed query parameters. These, and those of `with`, are also fields of what is created in it. */
  readonly given?: Readonly<Record<string, unknown>>;
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
  /** Long text fields, shown in the main column. */
  readonly texts?: readonly string[];
  /** Nested lists of the record, such as invoice lines. */
  readonly parts?: readonly {
    readonly title: string;
    readonly field: string;
    readonly columns: readonly string[];
    /** Field with the row's id, and the row's page. */
    readonly id?: string;
    readonly open?: string;
  }[];
  readonly change?: ActDeclaration | null;
  readonly remove?: ActDeclaration | null;
  readonly acts?: readonly ActDeclaration[];
  readonly related?: readonly RelatedDeclaration[];
  readonly fields: Fields;
  /** Path of the record's attachments. */
  readonly files?: string;
  /** Slot for plugin panels, which receive the record. */
  readonly slot?: string | null;
}

/** Returns the path argument that identifies the record: `id` for `GET /assets.php?id={id}`. */
export const idArgument = (operation: string): string => /\{(\w+)\}/.exec(operation)?.[1] ?? 'id';

/** Returns the path: `/assets.php` for `GET /assets.php?id={id}`. */
export const pathOf = (operation: string): string =>
  ((operation.split(' ')[1] ?? '').split(/[?{]/)[0] ?? '').replace(/\/$/, '');
