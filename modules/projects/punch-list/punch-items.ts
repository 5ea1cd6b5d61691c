// Punch list: defects and omissions reported by customers, and their resolution (M-12).
import {
  change,
  conflict,
  create,
  eventData,
  eventDataFor,
  record,
  sql,
  type Context,
  type Wanted,
} from '@keelson/core';
import { Project, PunchItem, PunchResponse } from '../entities.ts';
import { PunchItemAnswered, PunchItemReady, PunchItemSubmitted, PunchListSubmitted } from '../events.ts';
import { PunchItemFacts, punchItemNoun } from './punch-list.ts';

const MOST_ITEMS = 300;
const MOST_RESPONSES = 50;
/** Limit for all descriptions and responses of a project. */
const MOST_CHARACTERS = 2_000_000;

export const PunchItems = record(punchItemNoun, {
  call: ({ title }) => title,
  log: { omit: ['characters'] },
  partOf: ({ project_id, company_number }) => ({ of: Project, row: { project_id, company_number } }),
  created: async (ctx, item) => ctx.emit(PunchItemSubmitted, await eventData(ctx, PunchItemFacts, item)),
  async changed(ctx, changes) {
    const ready = changes.filter(
      ({ before, after }) => before.status !== after.status && after.status === 'ready_for_review',
    );
    const rows = ready.map(({ after }) => after);
    const dataOf = await eventDataFor(ctx, PunchItemFacts, rows);
    for (const { after, changed } of ready) ctx.emit(PunchItemReady, dataOf(after), { changed });
  },
});

export interface NewItem {
  readonly title?: string | undefined;
  readonly description: string;
  readonly location?: string | undefined;
  readonly priority?: PunchItem['priority'] | undefined;
}

/** Adds items by the author to a project locked in the same transaction. @throws conflict() if the list is full */
export async function submitItems(ctx: Context, project: Project, items: readonly NewItem[]): Promise<PunchItem[]> {
  const { project_id, company_number } = project;
  if (project.status === 'cancelled') throw conflict('The project was cancelled');
  const there = await readSize(ctx, project_id);
  if (there.items + items.length > MOST_ITEMS)
    throw conflict(`The punch list of a project can have at most ${MOST_ITEMS} items`);
  checkRoom(items.reduce((sum, each) => sum + each.description.length, there.characters));
  const { type, id, name } = ctx.author;
  const submitter = { submitted_by: name, submitter_number: type === 'employee' ? id : null };
  const rows: PunchItem[] = [];
  for (const { title = '', description, ...given } of items) {
    const named = { title: title || titleOf(description), description, characters: description.length };
    rows.push(await create(ctx, PunchItems, { ...given, ...named, ...submitter, project_id, company_number }));
  }
  // The project manager is mailed about the customer's items, not about those of colleagues.
  if (type === 'employee') ctx.emit(PunchListSubmitted, { project_id, item_ids: rows.map(({ item_id }) => item_id) });
  return rows;
}

/** Adds one item to a project locked in the same transaction. @throws conflict() if the list is full */
export async function submitItem(ctx: Context, project: Project, item: NewItem): Promise<PunchItem> {
  const [row] = await submitItems(ctx, project, [item]);
  if (!row) throw new Error('One item was submitted');
  return row;
}

const answers = { accepted: 'closed', rejected: 'open' } as const;

/** Adds the customer's response to an item locked in the same transaction. @throws conflict() if the item is closed */
export async function respondToItem(
  ctx: Context,
  item: PunchItem,
  { response, status }: { readonly response: string; readonly status?: keyof typeof answers | undefined },
): Promise<PunchItem> {
  const { item_id, project_id } = item;
  refuseClosed(item);
  if ((await ctx.db.countBy(PunchResponse, { item_id })) >= MOST_RESPONSES)
    throw conflict(`A punch-list item can have at most ${MOST_RESPONSES} responses`);
  checkRoom((await readSize(ctx, project_id)).characters + response.length);
  const wanted = { status: status && answers[status], characters: item.characters + response.length };
  const row = { item_id, response, author_name: ctx.author.name, created_at: ctx.now };
  const after = await change(ctx, PunchItems, item, wanted, {
    extra: { responses: ['changed', 'changed'] },
    store: async () => void (await ctx.db.insertReturningId(PunchResponse, row)),
  });
  ctx.emit(PunchItemAnswered, await eventData(ctx, PunchItemFacts, after));
  return after;
}

/** Refuses changes to a closed item. @throws conflict() if the item is closed */
export function refuseClosed({ status }: PunchItem): void {
  if (status === 'closed') throw conflict('Punch-list item is closed');
}

const next: ReadonlyMap<PunchItem['status'], PunchItem['status']> = new Map([
  ['open', 'in_progress'],
  ['in_progress', 'ready_for_review'],
  ['ready_for_review', 'closed'],
]);

type ItemChanges = Pick<Wanted<typeof PunchItems>, 'status' | 'assigned_to' | 'feedback'>;

/** Changes an item for the provider (NW-12), one status step at a time. @throws conflict() for any other transition */
export function updateItem(ctx: Context, item: PunchItem, wanted: ItemChanges): Promise<PunchItem> {
  const { status = item.status } = wanted;
  if (status !== item.status && status !== next.get(item.status))
    throw conflict(`A punch-list item cannot change from ${item.status} to ${status}`);
  return change(ctx, PunchItems, item, wanted);
}

async function readSize(ctx: Context, project_id: number): Promise<{ items: number; characters: number }> {
  const [found] = await ctx.db.query<{ items: unknown; characters: unknown }>(sql`SELECT COUNT(*) AS items,
    COALESCE(SUM(characters), 0) AS characters FROM punch_item WHERE project_id = ${project_id} AND deleted_at IS NULL`);
  return { items: Number(found?.items), characters: Number(found?.characters) };
}

function checkRoom(characters: number): void {
  if (characters > MOST_CHARACTERS) throw conflict('The punch list of this project is full');
}

/** Derives a title from the first line of a description, cut at a word boundary. */
function titleOf(description: string): string {
  const [line = ''] = description.split('\n', 1);
  const characters = Array.from(line);
  if (characters.length <= 80) return line;
  return `${characters
    .slice(0, 79)
    .join('')
    .replace(/\s+\S*$/, '')}…`;
}
