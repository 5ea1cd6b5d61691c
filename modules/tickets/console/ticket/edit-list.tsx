// Lists of a ticket that are changed as a whole: tags and assets.
import { call, queries, stale, t, toast, toastError } from '@keelson/web';
import { READ, touched, type Ticket } from './change.tsx';

interface Lists {
  readonly tags: string;
  readonly asset_ids: number;
}

const lists: { readonly [N in keyof Lists]: (ticket: Ticket) => readonly Lists[N][] } = {
  tags: ({ tags }) => tags,
  asset_ids: ({ assets }) => assets.map(({ asset_id }: { asset_id: number }) => asset_id),
};

interface ListEdit<V> {
  readonly add?: readonly V[];
  readonly remove?: readonly V[];
}

export type EditList = typeof editList;

/** The last change of a list of each ticket. */
const turns = new Map<number, Promise<unknown>>();

/**
 * Adds to or removes from a list of a ticket and offers undo in a toast. The API replaces the whole list, so changes
 * follow one another, and each starts from what is stored by then. Rejects when the server refuses.
 */
export async function editList<N extends keyof Lists>(
  id: number,
  name: N,
  { add = [], remove = [] }: ListEdit<Lists[N]>,
  said: string,
): Promise<void> {
  const work = async () => {
    const before = lists[name]((await call(READ, { id })).data);
    const wanted = [...before.filter((each) => !remove.includes(each)), ...add];
    const { data } = await call('PUT /tickets.php?id={id}', { id, body: { [name]: wanted } });
    return { before, after: lists[name](data) };
  };
  const turn = (turns.get(id) ?? Promise.resolve()).then(work, work);
  turns.set(id, turn);
  const { before, after } = await turn;
  await stale(queries, [...touched, '/assets.php']);
  const undone = {
    add: before.filter((each) => !after.includes(each)),
    remove: after.filter((each) => !before.includes(each)),
  };
  const undo = () => void editList(id, name, undone, t('Reverted')).catch(toastError);
  toast(said, { act: { title: t('Undo'), run: undo } });
}
