// Changes of a ticket's lists, loaded when they are needed: the queue shows tickets too and has to be small.
import type { EditList } from './edit-list.tsx';

/** Adds to or removes from a list of a ticket. */
export const editList: EditList = async (...given) => (await import('./edit-list.tsx')).editList(...given);
