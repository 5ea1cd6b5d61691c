// Addresses of pages hold what people quote: a ticket's and an asset's number, an invoice's.

/** Ids of tickets and assets run parallel to their numbers, which begin at 1001. */
const BEFORE_FIRST = 1000;

type Row = Readonly<Record<string, unknown>>;

/**
 * The address of a record. `/sites/:id` and 7 give `/sites/7`; `/assets/:quoted` gives `/assets/1007`; any other parameter
 * is filled from the row, if it is known and cannot be taken for an id: `/invoices/:invoice_number`. Those of the query are,
 * too: `/manager-groups/:code?company_number=:company_number`.
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

/** Whether a part of an address is a number such as INV-000002, and neither an id nor a word such as `new`. */
export const isQuoted = (part: string): boolean => /^[\w.-]+$/.test(part) && /\D/.test(part) && !/^[a-z]+$/.test(part);

/** The id behind `/tickets/1013`; undefined for addresses of before, which held the id itself: `/tickets/13`. */
export function idOfQuoted(number: string): string | undefined {
  const id = Number(number) - BEFORE_FIRST;
  return id > 0 ? String(id) : undefined;
}
