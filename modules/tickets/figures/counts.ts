// Ticket counts of queue views. Views are passed as filters, so saved views need no code here.
import { invalid, z, type Context } from '@keelson/core';
import { countsOf, type FilteredOf } from '@keelson/core/record';
import { TicketItem } from '../ticket/list.ts';

type Asked = FilteredOf<typeof TicketItem>;

const MOST = 20;

/** Named views. */
const words: ReadonlyMap<string, Asked> = new Map<string, Asked>([
  ['all', {}],
  ['open', { status: 'open' }],
  ['in_progress', { status: 'in_progress' }],
  ['on_hold', { status: 'on_hold' }],
  ['closed', { status: 'closed' }],
  ['unresolved', { status: 'unresolved' }],
  ['mine', { status: 'unresolved', assigned_to: 'me' }],
  ['unassigned', { status: 'unresolved', assigned_to: 'none' }],
  ['critical', { status: 'unresolved', priority: 1 }],
]);

/** Default views. Excludes `mine`, which an API key cannot use. */
const usual = (): string => [...words.keys()].filter((each) => each !== 'mine').join();

const { status, priority, company_number, assigned_to, job_type } = TicketItem.query;
const counted = z.object({ status, priority, company_number, assigned_to, job_type });
const known: ReadonlySet<string> = new Set(Object.keys(TicketItem.query));

export const ViewCount = z.object({ view: z.string(), count: z.int().nullable() });

/**
 * Counts the tickets in each view: a name, or filters such as `status:unresolved;priority:1`. Null where no counter
 * covers the filters; rows are never counted one by one.
 * @throws invalid() for more than 20 views, an unknown filter or a wrong value
 */
export async function countViews(ctx: Context, views: string = usual()): Promise<z.infer<typeof ViewCount>[]> {
  const asked = views.split(',').map((each) => each.trim());
  if (asked.length > MOST) throw invalid(`views must be at most ${MOST}`);
  const filters = asked.map((view) => words.get(view.toLowerCase()) ?? filtersIn(view));
  const countable = filters.filter((each) => each !== undefined);
  const counts = await countsOf(ctx, TicketItem, countable);
  let next = 0;
  return filters.map((each, i) => ({ view: asked[i] ?? '', count: each ? (counts[next++] ?? null) : null }));
}

/** Returns undefined if any filter has no counter. */
function filtersIn(view: string): Asked | undefined {
  const given = new Map(view.split(';').map((each) => conditionIn(view, each)));
  const parsed = counted.safeParse(Object.fromEntries(given));
  if (!parsed.success) throw invalid(`views: ${parsed.error.issues.map(sentence).join('; ')}`);
  return [...given.keys()].every((each) => Object.hasOwn(counted.shape, each)) ? parsed.data : undefined;
}

function conditionIn(view: string, text: string): readonly [string, string] {
  const at = text.indexOf(':');
  const name = text.slice(0, at).trim();
  if (at < 0 || !known.has(name)) throw invalid(`views has an unknown view: ${view.slice(0, 60)}`);
  return [name, decoded(text.slice(at + 1))];
}

/** Decodes a value; commas and semicolons in it are percent-encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid('views has a value that is not percent-encoded');
  }
}

const sentence = ({ path, message }: z.core.$ZodIssue): string => `${path.join('.')} ${message}`;
