// The other processes of an installation: what they have cached of a table is forgotten at once when it changes here.

export interface Others {
  /** Tells them of something that has changed. Delivery is not guaranteed: a process that misses it notices within two seconds. */
  tell(what: string): void;
  /** Calls `heard` with what one of them tells. */
  listen(heard: (what: string) => void): void;
}

/** Without Redis there is nobody to tell. */
export const alone: Others = Object.freeze({ tell: () => {}, listen: () => {} });
