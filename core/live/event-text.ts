// What a stream says of a change: which record, never what is in it.
import { doings } from '../plugin/record-change.ts';
import type { SeenChange } from './changes.ts';

/** Makes the text of some changes. Many listeners hear the same ones, so each text is made once. */
export function eventText(): (changes: readonly SeenChange[], forCustomers: boolean) => string {
  const staff = new Map<SeenChange, string>();
  const customers = new Map<SeenChange, string>();
  return (changes, forCustomers) => {
    const made = forCustomers ? customers : staff;
    const told = new Set<string>();
    const latest = latestPresence(changes);
    let text = '';
    for (const change of changes) {
      if (isPresence(change) && latest.get(whoIsWhere(change)) !== change) continue;
      let one = made.get(change);
      if (one === undefined) made.set(change, (one = textOf(change, forCustomers)));
      // The same again: a record that changes twice within a second is told once.
      const what = `${change.kind} ${change.type} ${change.record_id} ${change.author_type} ${change.author_id}`;
      if (told.has(what)) continue;
      told.add(what);
      text += one;
    }
    return text;
  };
}

function textOf(change: SeenChange, forCustomers: boolean): string {
  const { change_id, kind, type, record_id, author_type, author_id } = change;
  // Which technician it was is none of a customer's business.
  const by = { type: author_type, id: forCustomers && author_type !== 'employee' ? null : author_id };
  if (isPresence(change)) return eventOf('presence', { id: change_id, type, key: record_id, doing: kind, by });
  return eventOf('change', { id: change_id, event: kind, type, key: record_id, by });
}

function eventOf(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

const presence: ReadonlySet<string> = new Set(doings);

function isPresence({ kind }: SeenChange): boolean {
  return presence.has(kind);
}

/** Of several things that somebody did with a record within a second, the last one counts. */
function latestPresence(changes: readonly SeenChange[]): ReadonlyMap<string, SeenChange> {
  return new Map(changes.filter(isPresence).map((each) => [whoIsWhere(each), each]));
}

function whoIsWhere({ type, record_id, author_id }: SeenChange): string {
  return `${type} ${record_id} ${author_id}`;
}
