// A plugin is one frozen object that declares everything it adds; no code has to run to find that out.
import type { EntitySchema } from 'typeorm';
import type { AnswerSource } from './answer-source.ts';
import type { App } from './app.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import type { Counted, CounterTable } from '../list/counter.ts';
import type { Dependent } from './dependents.ts';
import type { Dropdown } from './dropdown.ts';
import type { Event, Job, Receivers, Subscriber } from './declare.ts';
import type { Identity } from './identity.ts';
import type { LiveRecord } from './live-record.ts';
import type { MailBrand } from '../mail/mail-page.ts';
import type { MailServer } from '../mail/post.ts';
import type { MailTemplate } from '../mail/mail-template.ts';
import type { Migration } from '../database/migrate.ts';
import type { PluginMiddleware } from './middleware.ts';
import type { Part } from './part.ts';
import type { DeclaredSource } from './report-source.ts';
import type { Route } from './route.ts';
import type { SearchDeclaration } from './search-declaration.ts';
import type { Setting } from './settings.ts';
import type { Fill } from './slot.ts';
import type { Permission } from './surface.ts';
import type { Table } from '../database/table.ts';

/** A record that has attachments (attachments/attachments.ts). */
export interface Attached {
  readonly of: Table;
  /** The record in messages and in the activity log. */
  readonly noun: string;
  readonly call: (row: never) => string | number;
  readonly routes: readonly Route[];
}

/** Everything that a plugin adds. Only `id` and `title` are required. */
export interface Plugin {
  /** `outages`; a third party's tables, routes, jobs and events start with it. */
  readonly id: string;
  /** Its name in `/modules` and on the plugins page. */
  readonly title: string;
  readonly version?: string;
  /** Ids of plugins that come first and whose `api.ts` may be imported. No cycles. */
  readonly requires?: readonly string[];
  /** It can be switched per customer company; `default` is the initial state. When off, the helpdesk answers 403. */
  readonly perCompany?: { readonly default: boolean };
  /** Tables made with `table()`, or `EntitySchema`s of TypeORM named like their tables. */
  readonly entities?: readonly EntitySchema[];
  /** Migrations of a third-party plugin; those of the modules are in migrations/. */
  readonly migrations?: readonly Migration[];
  readonly permissions?: readonly Permission[];
  readonly events?: readonly Event[];
  readonly routes?: readonly Route[];
  /** Koa middleware for the requests of all interfaces, declared with `middleware(…)`. */
  readonly middleware?: readonly PluginMiddleware[];
  readonly subscribers?: readonly Subscriber[];
  /** Targets outside that are registered for events at run time, such as webhooks. */
  readonly receivers?: Receivers;
  readonly jobs?: readonly Job[];
  readonly counters?: readonly CounterTable[];
  /** What is counted of its tables when it is asked for, declared with `counted(…)`. */
  readonly counted?: readonly Counted[];
  /** What of its records is searched, and who finds it. */
  readonly search?: readonly SearchDeclaration[];
  /** References that keep records of other modules from being deleted. */
  readonly dependents?: readonly Dependent[];
  /** Records that have attachments, declared with `attachments(…)`. Their routes are among `routes` of the plugin then. */
  readonly attachments?: readonly Attached[];
  /** What records of other modules show of its rows. */
  readonly fills?: readonly Fill[];
  /** Tables whose changes open pages are told of. */
  readonly live?: readonly LiveRecord[];
  readonly settings?: readonly Setting[];
  /** Lists of values that administrators edit, each read with `readDropdown`. */
  readonly dropdowns?: readonly Dropdown[];
  /** Templates of the mails it sends with `sendMail`; administrators can edit them. */
  readonly mailTemplates?: readonly MailTemplate[];
  /** The provider's name, logo and colours for mails. Only one plugin of an installation has it. */
  mailBrand?(ctx: Context): Promise<MailBrand>;
  /** The mail server that administrators have set, for installations without SMTP_URL. Only one plugin has it. */
  mailServer?(ctx: Context): Promise<MailServer | undefined>;
  /** Texts that the chat assistants answer from. */
  readonly answerSources?: readonly AnswerSource[];
  /** What reports can be made of, each made with `reportSource(…)`. */
  readonly reports?: readonly DeclaredSource[];
  /** Its pages in the staff console, declared with `consolePart(…)` in console/pages.ts. */
  readonly console?: Part;
  /** Its pages in the customer portal, declared with `portalPart(…)` in portal/pages.ts. */
  readonly portal?: Part;
  /** Ways to recognise a caller. */
  readonly identities?: readonly Identity[];
  /** Commands of the command line. */
  readonly commands?: readonly Command[];
  /** Runs at start-up, when everything above is in place: opens connections. */
  start?(app: App): Promise<void>;
  stop?(app: App): Promise<void>;
  /** Lines to print once the process serves, such as the set-up link of an empty installation. */
  greeting?(app: App): Promise<readonly string[]>;
}

/** Declares a plugin; it is checked at start-up (check.ts). */
export function definePlugin(plugin: Plugin): Plugin {
  const routes = (plugin.attachments ?? []).flatMap((each) => each.routes);
  return Object.freeze(routes.length === 0 ? plugin : { ...plugin, routes: [...(plugin.routes ?? []), ...routes] });
}
