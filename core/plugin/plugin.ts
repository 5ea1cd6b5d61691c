// What a plugin is: one frozen object that says everything it adds. Nothing runs to find that out.
import type { EntitySchema } from 'typeorm';
import type { AnswerSource } from './answer-source.ts';
import type { App } from './app.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import type { CounterTable } from '../list/counter.ts';
import type { Dependent } from './dependents.ts';
import type { Dropdown } from './dropdown.ts';
import type { Event, Job, Receivers, Subscriber } from './declare.ts';
import type { Identity } from './identity.ts';
import type { MailBrand } from '../mail/mail-page.ts';
import type { MailTemplate } from '../mail/mail-template.ts';
import type { Migration } from '../database/migrate.ts';
import type { Permission, Route } from './route.ts';
import type { Setting } from './settings.ts';

/** Everything that a plugin adds. Only `id` and `title` are required. */
export interface Plugin {
  /** `outages`; a third party's tables, routes, jobs and events start with it. */
  readonly id: string;
  /** As shown in `/modules` and on the plugins page. */
  readonly title: string;
  readonly version?: string;
  /** Ids of plugins that are loaded and migrated first, and whose api may be imported. No cycles. */
  readonly requires?: readonly string[];
  /** A switch per customer company, and its state where nobody has set it; off answers 403 on the helpdesk surface. */
  readonly perCompany?: { readonly default: boolean };
  /** Tables made with `table()`; `EntitySchema`s of TypeORM are taken too, named like their tables. */
  readonly entities?: readonly EntitySchema[];
  /** A third party's own migrations; those of the modules live in migrations/. */
  readonly migrations?: readonly Migration[];
  readonly permissions?: readonly Permission[];
  readonly events?: readonly Event[];
  readonly routes?: readonly Route[];
  readonly subscribers?: readonly Subscriber[];
  /** Whoever outside has registered for events at run time, as webhooks are. */
  readonly receivers?: Receivers;
  readonly jobs?: readonly Job[];
  readonly counters?: readonly CounterTable[];
  /** Rows that hold another module's record: while there are any, it cannot be deleted. */
  readonly dependents?: readonly Dependent[];
  readonly settings?: readonly Setting[];
  /** Lists of words that administrators change, each read with `readDropdown`. */
  readonly dropdowns?: readonly Dropdown[];
  /** Mails it sends with `sendMail`; administrators may reword them. */
  readonly mailTemplates?: readonly MailTemplate[];
  /** How mails look: the provider's name, logo and colours. One plugin of an installation says it. */
  mailBrand?(ctx: Context): Promise<MailBrand>;
  /** Texts that the chat assistants answer from. */
  readonly answerSources?: readonly AnswerSource[];
  /** Ways to recognise a caller. */
  readonly identities?: readonly Identity[];
  /** What an operator can do from the shell. */
  readonly commands?: readonly Command[];
  /** Opens outside connections; everything above is already in place. */
  start?(app: App): Promise<void>;
  stop?(app: App): Promise<void>;
  /** Lines for the operator once the process serves: the set-up link of an empty installation. */
  greeting?(app: App): Promise<readonly string[]>;
}

/** Declares a plugin. The checks happen in one place, at boot (check.ts). */
export function definePlugin(plugin: Plugin): Plugin {
  return Object.freeze(plugin);
}
