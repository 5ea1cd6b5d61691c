// Notifies an installation's other processes of table changes, so that they invalidate their caches at once.

export interface Others {
  /** Publishes a change. Delivery is not guaranteed: a process that misses it catches up within two seconds. */
  tell(what: string): void;
  /** Calls `heard` with each change another process publishes. */
  listen(heard: (what: string) => void): void;
}

/** The single-process case without Redis: no one to notify. */
export const alone: Others = Object.freeze({ tell: () => {}, listen: () => {} });
