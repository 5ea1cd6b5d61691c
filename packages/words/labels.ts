// Labels derived from API names. They are messages like those in the source.

/** Abbreviations written in capitals. */
const shortWords = /\b(ach|api|csv|dhcp|dns|id|ip|it|json|kb|ldap|mac|pdf|sla|sms|sso|url|xlsx)\b|\bvlan(?=s?\b)/g;

/** Labels of fields whose names are not self-explanatory, or would be shortened too much. */
const known: Readonly<Record<string, string>> = {
  ismgr: 'Manager',
  first_name: 'First name',
  last_name: 'Last name',
  customer: 'Company',
  zip: 'Postal code',
  account_number: 'Account number',
  contract_number: 'Contract number',
  serial_number: 'Serial number',
  job_type: 'Category',
  approval_job_types: 'Categories that need approval',
  require_approval: 'Tickets need approval',
  is_primary: 'Primary',
  is_default: 'Default',
  auto_renew: 'Renews automatically',
  notice_days: 'Notice period (days)',
  due_in_days: 'Due after (days)',
  duration_minutes: 'Duration (minutes)',
  estimate_minutes: 'Estimate (minutes)',
  after_minutes: 'After (minutes)',
  response_minutes: 'First response (minutes)',
  next_response_minutes: 'Next response (minutes)',
  resolution_minutes: 'Resolution (minutes)',
  it_privileges: 'IT admin',
  can_create_tickets: 'Can create tickets',
  can_view_billing: 'Can view billing',
  asset_edit: 'Equipment',
  entity_type: 'Regarding',
  entity_id: 'Number',
  cron: 'Schedule',
  clocks: 'Targets',
  open_breached: 'Breached and open',
};

/** Formats `in_progress` as `In progress`, `ticket.created` as `Ticket created`, and `met_percent` as `Met %`. */
export function labelOf(name: string): string {
  const text = name
    .replaceAll(/[_.]/g, ' ')
    .replace(/ percent$/, ' %')
    .trim()
    .replace(shortWords, (each) => each.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the label of a field: `Company` for `company_name`, `Last seen` for `last_seen_at`. */
export function fieldLabel(name: string): string {
  const short = name
    .replace(/(?<=.)_(name|at|id|bytes|ms)$/, '')
    .replace(/(?<!_by)_employee$/, ' to')
    .replace(/_employee$/, '');
  return known[name] ?? (labelOf(short) || labelOf(name));
}

/** Returns the label of a field to fill in, where `company_number` is `Company`. */
export const inputLabel = (name: string): string => known[name] ?? fieldLabel(name.replace(/_number$/, '_name'));

/** Returns the noun of a list's rows within a sentence: `API keys`, `mail templates`. */
export function nounOf({ rows, title }: { readonly rows?: string | undefined; readonly title: string }): string {
  if (rows || !title.endsWith('s')) return rows ?? 'entries';
  return /^[A-Z]{2}/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);
}

/** Returns the message of a count with its noun: `1 company`, `12 companies`. */
export function countMessage(noun: string): string {
  const one = noun
    .replace(/people$/, 'person')
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/ies$/, 'y')
    .replace(/([^s])s$/, '$1');
  return `{count, plural, one {# ${one}} other {# ${noun}}}`;
}

/** Returns the messages for a list of this noun. */
export const listMessages = (noun: string) => ({
  none: `No ${noun} yet.`,
  unmatched: `No ${noun} match these filters.`,
  search: `Search ${noun}`,
});
