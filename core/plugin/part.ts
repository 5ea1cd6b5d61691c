// What a plugin adds to the console or the portal, as plain data (docs/web.md). core/web makes and builds it.
import type { Access } from './surface.ts';

/** The navigation's groups in the console. The portal has one bar, whose entries have no section. */
export const sections = [
  'work',
  'customers',
  'infrastructure',
  'sales',
  'money',
  'knowledge',
  'administration',
] as const;
/** Places in pages that other modules' panels appear in. */
export const panelSlots = [
  'ticket.side',
  'ticket.timeline',
  'company.main',
  'company.side',
  'company.tab',
  'contact.side',
  'asset.side',
  'home.card',
  ...([
    'portal.home',
    'portal.ask',
    'portal.approvals',
    'portal.ticket',
    'portal.person',
    'portal.everywhere',
  ] as const),
] as const;
/** A page's place in the navigation. */
export interface NavPlace {
  readonly section?: (typeof sections)[number];
  /** One of plugin/icon-names.ts. */
  readonly icon: string;
  readonly order: number;
  /** Keys that go there: `g t`. */
  readonly key?: string;
  /** How many wait there, shown beside the title. */
  readonly count?: NavCount;
}

/** A number that an operation answers. */
export interface NavCount {
  /** It needs no arguments: `GET /notifications.php?action=unread`. */
  readonly operation: string;
  readonly member: string;
  /** The type of record whose changes change the number. */
  readonly type: string;
}

interface Piece<Actor> {
  readonly title: string;
  /** The page's file without its ending: `claims` is claims.tsx beside pages.ts. */
  readonly file: string;
  /** The rule that the page's routes use; who does not meet it gets nothing of the page. */
  readonly access: Access<Actor>;
}

/** A page of one's own, written in a file. */
export interface PageSpec<Actor> extends Piece<Actor> {
  /**
   * Below `/admin` or `/helpdesk`: `/warranty`, `/sites/:id`. `:quoted` stands for the number that people quote where ids
   * run parallel to it, as of tickets and assets (`addressWith` of `@keelson/web`); the page gets the `id` all the same.
   */
  readonly path: string;
  readonly nav?: NavPlace;
}

/** A piece of another module's page. */
export interface PanelSpec<Actor> extends Piece<Actor> {
  readonly slot: (typeof panelSlots)[number];
  readonly order?: number;
}

/** A column of another module's list. */
export interface ColumnSpec<Actor> extends Piece<Actor> {
  /** The operation of the list: `GET /assets.php`. */
  readonly list: string;
  /** The operation that takes `ids`, up to 100 with commas between, and answers a row for each that has something to tell. */
  readonly values: string;
}

/** An act on a record, in the palette and in the record's menu; its file is loaded when it is chosen. */
export interface CommandSpec<Actor> extends Piece<Actor> {
  readonly id: string;
  readonly on: string;
  readonly key?: string;
}

/** How a record is linked, shown and found in everybody's pages. */
export interface RecordSpec<Actor> {
  readonly type: string;
  readonly title: string;
  readonly path: string;
  readonly icon: string;
  readonly access: Access<Actor>;
  /** The operation that reads one, and the one that finds some. */
  readonly read: string;
  readonly find?: string;
  /** Members of its answer; the name may be of several, with spaces between. */
  readonly name: string;
  readonly id: string;
  /** The array of its hits in the universal search. */
  readonly search?: string;
}

/** An operation that a page made from declarations offers, with its form's fields (otherwise all of the body's). */
export interface ActSpec<Actor> {
  readonly title?: string;
  readonly operation: string;
  readonly access: Access<Actor>;
  readonly fields?: readonly string[];
  /** A question that is asked first. */
  readonly confirm?: string;
}

/** A list page made from declarations. */
export interface ListSpec<Actor> {
  readonly path: string;
  readonly title: string;
  readonly access: Access<Actor>;
  readonly nav?: NavPlace;
  /** The operation: `GET /assets.php`. */
  readonly list: string;
  readonly id: string;
  readonly columns: readonly string[];
  readonly filters?: readonly string[];
  /** Constant arguments of the operation, such as a status. */
  readonly given?: Readonly<Partial<Record<string, unknown>>>;
  /** The page of a row: `/assets/:id`. */
  readonly open?: string;
  readonly create?: ActSpec<Actor>;
  /** Where a record is made on a page of its own, instead of `create`: it is handed what the list belongs to. */
  readonly createPage?: { readonly title: string; readonly path: string };
  /** Other ways to make a record. */
  readonly acts?: readonly ActSpec<Actor>[];
  /** Pages of a file that belong to the list, offered at its head: a board, an import. */
  readonly links?: readonly { readonly title: string; readonly path: string; readonly icon: string }[];
  /** What its rows are, within a sentence, where the title is no plural: `articles` of the knowledge base. */
  readonly rows?: string;
  /** What stands there while there is no row. */
  readonly empty?: string;
  /** The list is a tab of the company’s page, too, in this order: it shows the company's rows (`company_number`). */
  readonly companyTab?: number;
}

/** A list of records that belong to the one of a sheet. */
export interface RelatedSpec<Actor> {
  readonly title: string;
  readonly list: string;
  /** Query parameters and the members of the record that fill them. */
  readonly with: Readonly<Partial<Record<string, string>>>;
  readonly columns: readonly string[];
  /** The member that names a row. */
  readonly id?: string;
  readonly open?: string;
  readonly create?: ActSpec<Actor>;
}

/** A list within a record, such as the lines of an invoice. */
export interface SheetList {
  readonly title: string;
  /** The member that holds it. */
  readonly field: string;
  readonly columns: readonly string[];
  /** The member that names a row, and the row's page: `/assets/:quoted`. */
  readonly id?: string;
  readonly open?: string;
}

/** A record's page made from declarations. */
export interface SheetSpec<Actor> {
  readonly path: string;
  readonly title: string;
  readonly access: Access<Actor>;
  readonly read: string;
  readonly heading: string;
  readonly facts: readonly string[];
  /** Long texts, shown in the middle. */
  readonly texts?: readonly string[];
  /** Lists within the record itself, such as the lines of an invoice. */
  readonly parts?: readonly SheetList[];
  /** The path whose attachments belong to it: `/assets.php`. */
  readonly files?: string;
  /** Where panels of other plugins appear; they are handed the record. */
  readonly slot?: (typeof panelSlots)[number];
  readonly change?: ActSpec<Actor>;
  readonly remove?: ActSpec<Actor>;
  readonly acts?: readonly ActSpec<Actor>[];
  readonly related?: readonly RelatedSpec<Actor>[];
}

/** What `consolePart` and `portalPart` take. */
export interface PartSpec<Actor> {
  readonly pages?: readonly PageSpec<Actor>[];
  readonly panels?: readonly PanelSpec<Actor>[];
  readonly columns?: readonly ColumnSpec<Actor>[];
  readonly commands?: readonly CommandSpec<Actor>[];
  readonly records?: readonly RecordSpec<Actor>[];
  readonly lists?: readonly ListSpec<Actor>[];
  readonly sheets?: readonly SheetSpec<Actor>[];
}

/** What a plugin adds to one of the two interfaces for people. */
export interface Part<Actor = any> extends Required<PartSpec<Actor>> {
  readonly kind: 'console' | 'portal';
  /** The folder of its files. */
  readonly folder: string;
}
