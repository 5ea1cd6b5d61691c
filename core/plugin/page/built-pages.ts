// The pages of the console and the portal, as built by a process.
import type { PageProblem } from '@keelson/web-build';

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
