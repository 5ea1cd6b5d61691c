// What becomes of mails from senders who are no contacts: they become contacts of a company, or are blocked.
import {
  by,
  change,
  create,
  In,
  invalid,
  IsNull,
  normalised,
  Problem,
  record,
  view,
  type Context,
  type Given,
  type Wanted,
} from '@keelson/core';
import { explained } from '@keelson/core/kit';
import { domainOf, type ActsFor } from '@keelson/modules/accounts';
import { Company, CompanyNames, createEmployee, findCompaniesByDomain } from '@keelson/modules/directory';
import { Mailbox, MailboxRule, type MailboxMessage } from '../entities.ts';
import type { ParsedMail } from '../parse/parse.ts';
import { personOf } from './person-of.ts';

export const SenderRules = record(MailboxRule, {
  title: 'Mail rule',
  call: ({ sender }) => sender,
  log: { names: { company_number: CompanyNames } },
  filters: (its) => ({ outcome: its.is('outcome'), company_number: its.is('company_number') }),
  sorts: { sender: by('sender') },
  order: 'asc',
  taken: ({ sender }) => `sender ${sender} already has a rule`,
  async prepare({ db }, { sender, outcome, company_number }, before) {
    if (!SENDER.test(sender)) throw invalid('sender must be an email address or a domain, such as example.com');
    if (isPublic(sender)) throw invalid('sender must not be the domain of a public mail provider');
    if (outcome === 'block') return;
    if (company_number === null) throw invalid('company_number is required to add contacts');
    if (company_number === before?.company_number) return;
    if (!(await db.existsBy(Company, { company_number, deleted_at: IsNull() })))
      throw invalid('company_number must be an existing company');
  },
});

export const SenderRuleItem = view(SenderRules, {
  more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }),
});

const SENDER = /^(?:[^\s@<>"',;:]{1,64}@)?[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+$/u;

/** Domains where everybody can have an address. */
const publicDomains: ReadonlySet<string> = new Set(
  [
    'aol.com att.net bluewin.ch btinternet.com comcast.net duck.com fastmail.com free.fr freenet.de gmail.com',
    'gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hey.com hotmail.co.uk hotmail.com hotmail.de hotmail.fr',
    'icloud.com laposte.net libero.it live.com live.de mac.com mail.com mail.de mail.ru mailbox.org me.com msn.com',
    'orange.fr outlook.com outlook.de pm.me posteo.de proton.me protonmail.com qq.com sfr.fr t-online.de tutanota.com',
    'verizon.net wanadoo.fr web.de yahoo.co.uk yahoo.com yahoo.de yahoo.fr yandex.ru ymail.com zoho.com',
  ].flatMap((line) => line.split(' ')),
);
const isPublic = (sender: string): boolean => publicDomains.has(sender);

/** Adds a rule. @throws invalid() for a sender or company that cannot have one; duplicate() for another of the sender */
export const createRule = (ctx: Context, given: Given<typeof SenderRules>): Promise<MailboxRule> =>
  create(ctx, SenderRules, withoutCompany(given));

/** Changes a rule. @throws as createRule() */
export const changeRule = (ctx: Context, rule: MailboxRule, wanted: Wanted<typeof SenderRules>): Promise<MailboxRule> =>
  change(ctx, SenderRules, rule, withoutCompany({ ...wanted, outcome: wanted.outcome ?? rule.outcome }));

const withoutCompany = <G extends { readonly outcome: MailboxRule['outcome'] }>(given: G): G =>
  given.outcome === 'block' ? { ...given, company_number: null } : given;

/** Returns the rule for an address; that for the address itself comes before that for its domain. */
export async function ruleFor({ db }: Context, address: string): Promise<MailboxRule | undefined> {
  const found = await db.findBy(MailboxRule, { sender: In([address, domainOf(address)]) });
  return found.find(({ sender }) => sender === address) ?? found[0];
}

/**
 * Returns the company that a sender probably belongs to: that of the rule, or of the mailbox, or the only one with
 * contacts at the domain.
 */
export async function proposeCompany(
  ctx: Context,
  { from_address, mailbox_id }: Pick<MailboxMessage, 'from_address' | 'mailbox_id'>,
): Promise<number | null> {
  const address = normalised(from_address);
  const rule = await ruleFor(ctx, address);
  if (rule) return rule.company_number;
  const mailbox = await ctx.db.findOneBy(Mailbox, { mailbox_id });
  if (mailbox?.company_number) return mailbox.company_number;
  const domain = domainOf(address);
  if (domain === '' || isPublic(domain)) return null;
  const [only, ...others] = await findCompaniesByDomain(ctx, domain);
  return others.length === 0 ? (only ?? null) : null;
}

export interface Refused {
  readonly state: 'ignored' | 'review';
  readonly reason: string;
}

/**
 * Applies the rule for an unknown sender, or the company of the mailbox. Returns the contact they became, or what becomes
 * of the mail; undefined without either. Programs do not become contacts. Opens its own transaction.
 */
export async function applyRule(
  outside: Context,
  { from, verified, automatic }: ParsedMail,
  address: string,
  mailbox: Mailbox,
): Promise<ActsFor | Refused | undefined> {
  const rule = await ruleFor(outside, address);
  if (rule?.outcome === 'block')
    return { state: 'ignored', reason: `Blocked by the rule for ${rule.sender}`.slice(0, 500) };
  const company_number = rule?.company_number ?? mailbox.company_number;
  if (company_number === null || automatic !== undefined) return undefined;
  if (!verified)
    return { state: 'review', reason: explained('The sender could not be verified, so no contact was added') };
  try {
    const { employee_number } = await outside.transaction((ctx) =>
      createEmployee(ctx, { company_number, email: address, ...namesOf(from.name, address) }),
    );
    return { type: 'employee', id: employee_number };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // Another process may have added them; otherwise a former contact has the address, or the company was deleted.
    const person = await personOf(outside, address);
    return person ?? { state: 'review', reason: `No contact was added: ${error.message}`.slice(0, 500) };
  }
}

/** Returns the names in `Petra Müller`, `Müller, Petra` or, without a name, in `petra.mueller@…`. */
export function namesOf(name: string, address: string): { readonly first_name: string; readonly last_name: string } {
  const local = address.slice(0, address.lastIndexOf('@')).replaceAll(/[._+]+/g, ' ');
  const text = (name.includes('@') || name.trim() === '' ? local : name).trim();
  const [, family, given] = /^([^,]+),\s*(.+)$/.exec(text) ?? [];
  const words = text.split(/\s+/);
  const [first, last] = given && family ? [given, family] : [words.slice(0, -1).join(' '), words.at(-1) ?? ''];
  return { first_name: first.slice(0, 255), last_name: last.slice(0, 255) };
}
