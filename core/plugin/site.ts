// The pages of the console and the portal, as built by a process.
import type { Part } from './part.ts';

/** A page or part that failed to build, with the reason. */
export interface PageProblem {
  readonly plugin: string;
  readonly kind: Part['kind'];
  readonly file: string;
  /** Location and reason: `console/claims.tsx:12:3: …`. */
  readonly message: string;
}

/** The result of a build. */
export interface BuiltPages {
  /** The build's name: a hash of all its inputs. */
  readonly hash: string;
  readonly problems: readonly PageProblem[];
  /** Returns true if the build has this file: `warranty/console.css`. */
  has(file: string): boolean;
}

/** The process's console and portal pages. */
export interface Site {
  /** Waits for the build. @throws Problem of kind `unavailable` when there is none */
  built(): Promise<BuiltPages>;
  /** Returns the build failures known so far. */
  problems(): readonly PageProblem[];
}
