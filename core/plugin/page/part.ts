// What a plugin adds to the console or the portal, as plain data (docs/web.md). core/web builds the pages.
import type { Access } from '../route/surface.ts';

/** The console's navigation groups. The portal has a single bar, so its entries have no section. */
export const sections = [
  'work',
  'customers',
  'infrastructure',
  'sales',
  'money',
  'knowledge',
  'administration',
] as const;
/** Slots where other modules' panels appear. */
export const panelSlots = [
  'ticket.new',
  'ticket.top',
  'ticket.side',
  'ticket.timeline',
  'ticket.message',
  'company.main',
  'company.side',
  'company.tab',
  'contact.side',
  'asset.side',
  'contract.side',
  'network.side',
  'calendar.side',
  'lead.side',
  'home.card',
  'settings.card',
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
  /** One of icon-names.ts. */
  readonly icon: string;
  readonly order: number;
  /** Keyboard shortcut: `g t`. */
  readonly key?: string;
  /** The number of waiting items, shown beside the title. */
  readonly count?: NavCount;
}

/** A number returned by an operation. */
export interface NavCount {
  /** An operation without arguments: `GET /notifications.php?action=unread`. */
  readonly operation: string;
  readonly member: string;
  /** The record type whose changes affect the number. */
  readonly type: string;
}

interface Piece<Actor> {
  readonly title: string;
  /** The page's file without its extension: `claims` is claims.tsx beside pages.ts. */
  readonly file: string;
  /** The rule the page's routes use. Callers who do not meet it receive nothing of the page. */
  readonly access: Access<Actor>;
}

/** A custom page, written in its own file. */
export interface PageSpec<Actor> extends Piece<Actor> {
  /**
   * Path below `/admin` or `/helpdesk`: `/warranty`, `/sites/:id`. `:quoted` is the number people quote, for records
   * such as tickets and assets whose ids run parallel to it (`addressWith` of `@keelson/web`). The page still receives
   * `id`.
   */
  readonly path: string;
  readonly nav?: NavPlace;
}

/** A panel on another module's page. */
export interface PanelSpec<Actor> extends Piece<Actor> {
  readonly slot: (typeof panelSlots)[number];
  readonly order?: number;
  /** For a tab of a company: the list whose total it shows, asked with the company's number and `where`. */
  readonly total?: { readonly list: string; readonly where?: Readonly<Record<string, string>> };
}

/** A column in another module's list. */
export interface ColumnSpec<Actor> extends Piece<Actor> {
  /** The list operation: `GET /assets.php`. */
  readonly list: string;
  /** The operation that takes up to 100 comma-separated `ids` and returns a row for each id that has a value. */
  readonly values: string;
  /** Hidden while none of the loaded rows has a value. */
  readonly optional?: boolean;
  /** The list's sort by this column; its header is then a button, which sorts ascending first. */
  readonly sort?: string;
}

/** An action on a record, in the palette and in the record's menu. Its file loads when the user picks it. */
export interface CommandSpec<Actor> extends Piece<Actor> {
  readonly id: string;
  readonly on: string;
  readonly key?: string;
}

/** How pages link to, show and find a record. */
export interface RecordSpec<Actor> {
  readonly type: string;
  readonly title: string;
  readonly path: string;
  readonly icon: string;
  readonly access: Access<Actor>;
  /** The operations that read one record and find several. */
  readonly read: string;
  readonly find?: string;
  /** Members of the record's response. `name` may list several, separated by spaces. */
  readonly name: string;
  readonly id: string;
  /** The array of this record's hits in the universal search response. */
  readonly search?: string;
}

/** An operation offered on a generated page, with its form fields (default: every field of the body). */
export interface ActSpec<Actor> {
  readonly title?: string;
  readonly operation: string;
  readonly access: Access<Actor>;
  readonly fields?: readonly string[];
  /** Confirmation prompt. */
  readonly confirm?: string;
  /** Offered on a record's page only while its members have one of these values: `{ status: ['open'] }`. */
  readonly when?: Readonly<Partial<Record<string, readonly unknown[]>>>;
}

/** A generated list page. */
export interface ListSpec<Actor> {
  readonly path: string;
  readonly title: string;
  readonly access: Access<Actor>;
  readonly nav?: NavPlace;
  /** The list operation: `GET /assets.php`. */
  readonly list: string;
  readonly id: string;
  readonly columns: readonly string[];
  readonly filters?: readonly string[];
  /** Fixed arguments of the operation, such as a status. */
  readonly given?: Readonly<Partial<Record<string, unknown>>>;
  /** A row's page: `/assets/:id`. */
  readonly open?: string;
  readonly create?: ActSpec<Actor>;
  /** A separate page for creating a record, used instead of `create`. It receives the list's parent. */
  readonly createPage?: { readonly title: string; readonly path: string };
  /** Other ways to create a record. */
  readonly acts?: readonly ActSpec<Actor>[];
  /** Custom pages that belong to the list, linked in its header: a board, an import. */
  readonly links?: readonly { readonly title: string; readonly path: string; readonly icon: string }[];
  /** The plural noun for its rows, if the title is not a plural: `articles` of the knowledge base. */
  readonly rows?: string;
  /** Explains the list above its rows. */
  readonly description?: string;
  /** Text of the empty state. */
  readonly empty?: string;
  /** Also shows the list as a tab on the company page, in this order, filtered by `company_number`. */
  readonly companyTab?: number;
}

/** A list of records that belong to a sheet's record. */
export interface RelatedSpec<Actor> {
  readonly title: string;
  readonly list: string;
  /** Query parameters, and the record members that fill them. */
  readonly with: Readonly<Partial<Record<string, string>>>;
  /** Fixed arguments of the list. These, and those of `with`, are also fields of what is created in it. */
  readonly given?: Readonly<Partial<Record<string, unknown>>>;
  readonly columns: readonly string[];
  /** The member that identifies a row. */
  readonly id?: string;
  readonly open?: string;
  readonly create?: ActSpec<Actor>;
}

/** A list within a record, such as invoice lines. */
export interface SheetList {
  readonly title: string;
  /** The member that holds the list. */
  readonly field: string;
  readonly columns: readonly string[];
  /** The member that identifies a row, and the row's page: `/assets/:quoted`. */
  readonly id?: string;
  readonly open?: string;
}

/** A generated record page. */
export interface SheetSpec<Actor> {
  readonly path: string;
  readonly title: string;
  readonly access: Access<Actor>;
  readonly read: string;
  readonly heading: string;
  readonly facts: readonly string[];
  /** Long texts, shown in the main column. */
  readonly texts?: readonly string[];
  /** Lists within the record itself, such as invoice lines. */
  readonly parts?: readonly SheetList[];
  /** The attachment path of the record: `/assets.php`. */
  readonly files?: string;
  /** The slot for other plugins' panels, which receive the record. */
  readonly slot?: (typeof panelSlots)[number];
  readonly change?: ActSpec<Actor>;
  readonly remove?: ActSpec<Actor>;
  readonly acts?: readonly ActSpec<Actor>[];
  readonly related?: readonly RelatedSpec<Actor>[];
}

/** The input of `consolePart` and `portalPart`. */
export interface PartSpec<Actor> {
  readonly pages?: readonly PageSpec<Actor>[];
  readonly panels?: readonly PanelSpec<Actor>[];
  readonly columns?: readonly ColumnSpec<Actor>[];
  readonly commands?: readonly CommandSpec<Actor>[];
  readonly records?: readonly RecordSpec<Actor>[];
  readonly lists?: readonly ListSpec<Actor>[];
  readonly sheets?: readonly SheetSpec<Actor>[];
}

/** What a plugin adds to the console or the portal. */
export interface Part<Actor = any> extends Required<PartSpec<Actor>> {
  readonly kind: 'console' | 'portal';
  /** The folder of its files. */
  readonly folder: string;
}
