// What a stream says of a change: which record, never what is in it.
import type { SeenChange } from './changes.ts';

/** Makes the text of some changes. Many listeners hear the same ones, so each text is made once. */
export function eventText(): (changes: readonly SeenChange[], forCustomers: boolean) => string {
  const staff = new Map<SeenChange, string>();
  const customers = new Map<SeenChange, string>();
  return (changes, forCustomers) => {
    const made = forCustomers ? customers : staff;
    const told = new Set<string>();
    let text = '';
    for (const change of changes) {
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
  const id = forCustomers && author_type !== 'employee' ? null : author_id;
  const data = { id: change_id, event: kind, type, key: record_id, by: { type: author_type, id } };
  return `event: change\ndata: ${JSON.stringify(data)}\n\n`;
}
