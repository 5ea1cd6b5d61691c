// The console's and the portal's pages as a process has built them.
import type { Part } from './part.ts';

/** A page or a piece that could not be built, and why. */
export interface PageProblem {
  readonly plugin: string;
  readonly kind: Part['kind'];
  readonly file: string;
  /** Place and reason: `console/claims.tsx:12:3: …`. */
  readonly message: string;
}

/** The pages as they were built. */
export interface BuiltPages {
  /** The name of the build: a hash of everything it was made of. */
  readonly hash: string;
  readonly problems: readonly PageProblem[];
  /** Whether the build has this file: `warranty/console.css`. */
  has(file: string): boolean;
}

/** The console's and the portal's pages of a process. */
export interface Site {
  /** Waits for the build. @throws Problem of kind `unavailable` when there is none */
  built(): Promise<BuiltPages>;
  /** What could not be built, as far as it is known by now. */
  problems(): readonly PageProblem[];
}
