// Page URLs, which use public numbers of tickets, assets and invoices.

/** Offset between ids and public numbers of tickets and assets; numbers start at 1001. */
const BEFORE_FIRST = 1000;

type Row = Readonly<Record<string, unknown>>;

/**
 * Returns the URL of a record. `/sites/:id` with 7 gives `/sites/7`; `/assets/:quoted` gives `/assets/1007`. Any other
 * parameter is filled from the row if the value is known and cannot be mistaken for an id: `/invoices/:invoice_number`.
 * Query parameters are filled too: `/manager-groups/:code?company_number=:company_number`.
 */
export function addressWith(path: string, id: unknown, row: Row = {}): string {
  const filled = path.replace(/:(\w+)/, (_, name: string) => {
    if (name === 'quoted') return text(Number(id) + BEFORE_FIRST);
    const known = row[name];
    return text(typeof known === 'string' && isQuoted(known) ? known : id);
  });
  return filled.replaceAll(/(?<==):(\w+)/g, (_, name: string) => text(row[name]));
}

const text = (value: unknown) => encodeURIComponent(String(value));

/** Tests for a public number such as INV-000002, as opposed to an id or a word such as `new`. */
export const isQuoted = (part: string): boolean => /^[\w.-]+$/.test(part) && /\D/.test(part) && !/^[a-z]+$/.test(part);

/**
 * Returns the id for a public number, as in `/tickets/1013`; undefined for legacy URLs with the id itself:
 * `/tickets/13`.
 */
export function idOfQuoted(number: string): string | undefined {
  const id = Number(number) - BEFORE_FIRST;
  return id > 0 ? String(id) : undefined;
}
