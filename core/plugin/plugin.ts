// A plugin: one frozen object that declares everything it adds, without running any code.
import type { Migration } from '@keelson/database/migration/migrate.ts';
import type { Table } from '@keelson/database/schema/table.ts';
import type { Counted, CounterTable } from '@keelson/list/counter/counter.ts';
import type { MailSender, MailServer } from '@keelson/mail/mail-context.ts';
import type { MailBrand } from '@keelson/mail/mail-page.ts';
import type { MailTemplate } from '@keelson/mail/mail-template.ts';
import type { EntitySchema } from 'typeorm';
import type { App } from './app.ts';
import type { Context } from './context.ts';
import type { AnswerSource } from './declaration/answer-source.ts';
import type { Command } from './declaration/command.ts';
import type { Event, Job, Receivers, Subscriber } from './declaration/declare.ts';
import type { Dependent } from './declaration/dependents.ts';
import type { Dropdown } from './declaration/dropdown.ts';
import type { Hooked } from './declaration/hook.ts';
import type { Identity } from './declaration/identity.ts';
import type { Importable } from './declaration/import-declaration.ts';
import type { LiveRecord } from './declaration/live-record.ts';
import type { PluginMiddleware } from './declaration/middleware.ts';
import type { DeclaredSource } from './declaration/report-declaration.ts';
import type { SearchDeclaration } from './declaration/search-declaration.ts';
import type { Fill } from './declaration/slot.ts';
import type { WorkflowAction } from './declaration/workflow-action.ts';
import type { WorkflowFields } from './declaration/workflow-fields.ts';
import type { Part } from './page/part.ts';
import type { Route } from './route/route.ts';
import type { Permission } from './route/surface.ts';
import type { Speaker } from './setting/language.ts';
import type { Reader, Setting } from './setting/settings.ts';

/** A record with attachments (attachments/attachments.ts). */
export interface Attached {
  readonly of: Table;
  /** The record's name in messages and the activity log. */
  readonly noun: string;
  readonly call: (row: never) => string | number;
  readonly routes: readonly Route[];
}

/** Everything a plugin adds. Only `id` and `title` are required. */
export interface Plugin {
  /** Unique id: `outages`. Prefixes a third-party plugin's tables, routes, jobs and events. */
  readonly id: string;
  /** The name shown in `/modules` and on the plugins page. */
  readonly title: string;
  /** What it does, in a sentence, for the API reference. */
  readonly description?: string;
  readonly version?: string;
  /** Ids of plugins that load first and whose `api.ts` may be imported. No cycles. */
  readonly requires?: readonly string[];
  /** Can be switched per customer company, starting as `default`. When off, the helpdesk returns 403. */
  readonly perCompany?: { readonly default: boolean };
  /** Tables made with `table()`, or TypeORM `EntitySchema`s named after their tables. */
  readonly entities?: readonly EntitySchema[];
  /** Migrations of a third-party plugin. Module migrations live in migrations/. */
  readonly migrations?: readonly Migration[];
  readonly permissions?: readonly Permission[];
  readonly events?: readonly Event[];
  readonly routes?: readonly Route[];
  /** Koa middleware for all API requests, declared with `middleware(…)`. */
  readonly middleware?: readonly PluginMiddleware[];
  readonly subscribers?: readonly Subscriber[];
  /** External targets registered for events at run time, such as webhooks. */
  readonly receivers?: Receivers;
  readonly jobs?: readonly Job[];
  readonly counters?: readonly CounterTable[];
  /** Counts over its tables computed on demand, declared with `counted(…)`. */
  readonly counted?: readonly Counted[];
  /** Searchable records, and who can find them. */
  readonly search?: readonly SearchDeclaration[];
  /** References that block deletion of other modules' records. */
  readonly dependents?: readonly Dependent[];
  /** Records with attachments, declared with `attachments(…)`. Their routes are added to the plugin's `routes`. */
  readonly attachments?: readonly Attached[];
  /** Its rows shown within other modules' records. */
  readonly fills?: readonly Fill[];
  /** What it does in other modules' transactions, declared with `hooked(…)`. */
  readonly hooks?: readonly Hooked[];
  /** Tables whose changes are pushed to open pages. */
  readonly live?: readonly LiveRecord[];
  readonly settings?: readonly Setting[];
  /** Lists of values that administrators edit, read with `readDropdown`. */
  readonly dropdowns?: readonly Dropdown[];
  /** Templates of mails sent with `sendMail`. Administrators can edit them. */
  readonly mailTemplates?: readonly MailTemplate[];
  /** Returns the language of a person or their company; null if neither has one. Only one plugin may define it. */
  language?(ctx: Reader, person: Speaker): Promise<string | null>;
  /** The provider's name, logo and colours for mails. Only one plugin per installation may define it. */
  mailBrand?(ctx: Context): Promise<MailBrand>;
  /** The mail server set by administrators, for installations without SMTP_URL. Only one plugin may define it. */
  mailServer?(ctx: Context): Promise<MailServer | undefined>;
  /** Returns a sender other than the installation, by id. Only one plugin may define it. */
  mailSender?(ctx: Context, id: string): Promise<MailSender | undefined>;
  /** Returns why automatic mails to an address are suppressed, in a sentence; undefined if they are sent. */
  mailStop?(ctx: Context, address: string): Promise<string | undefined>;
  /** Texts the chat assistants answer from. */
  readonly answerSources?: readonly AnswerSource[];
  /** What workflows can do with it, declared with `workflowAction(…)`. */
  readonly workflowActions?: readonly WorkflowAction[];
  /** Fields it adds to the records of workflows, declared with `workflowFields(…)`. */
  readonly workflowFields?: readonly WorkflowFields[];
  /** Sources for reports, made with `reportSource(…)`. */
  readonly reports?: readonly DeclaredSource[];
  /** Its pages in the staff console, declared with `consolePart(…)` in console/pages.ts. */
  readonly console?: Part;
  /** Its pages in the customer portal, declared with `portalPart(…)` in portal/pages.ts. */
  readonly portal?: Part;
  /** Ways to identify a caller. */
  readonly identities?: readonly Identity[];
  /** Records that files are imported into, declared with `importable(…)`. */
  readonly imports?: readonly Importable[];
  /** CLI commands. */
  readonly commands?: readonly Command[];
  /** Runs at start-up, once everything above is in place, for example to open connections. */
  start?(app: App): Promise<void>;
  /** Runs when the process is about to stop: ends long-lived requests, such as streams. */
  drain?(app: App): void;
  stop?(app: App): Promise<void>;
  /** Lines to print once the process serves, such as the set-up link of an empty installation. */
  greeting?(app: App): Promise<readonly string[]>;
}

/** Declares a plugin. Validated at start-up (check.ts). */
export function definePlugin(plugin: Plugin): Plugin {
  const routes = (plugin.attachments ?? []).flatMap((each) => each.routes);
  return Object.freeze(routes.length === 0 ? plugin : { ...plugin, routes: [...(plugin.routes ?? []), ...routes] });
}
