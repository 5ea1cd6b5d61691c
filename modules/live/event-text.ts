// Formats changes for a stream: only which record changed, never its contents.
import { doings } from '@keelson/core/plugin';
import type { SeenChange } from './changes.ts';

/** Creates a formatter for changes. It caches each text, because many listeners receive the same changes. */
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
      // Skip duplicates: a record that changes twice within a second is sent once.
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
  // Hide from customers which technician it was.
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

/** Keeps the last of several activities of one person on a record within a second. */
function latestPresence(changes: readonly SeenChange[]): ReadonlyMap<string, SeenChange> {
  return new Map(changes.filter(isPresence).map((each) => [whoIsWhere(each), each]));
}

function whoIsWhere({ type, record_id, author_id }: SeenChange): string {
  return `${type} ${record_id} ${author_id}`;
}
