// A planned action, and its failure.
import type { Context } from '@keelson/core';

/** What an action would do. */
export interface Plan {
  /** Shown in a dry run. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** Reason to skip the action, such as no recipient. */
  readonly skipReason?: string | undefined;
  /** Executes the action: in a transaction, or outside one for external effects. */
  readonly act: (ctx: Context, call: Call) => Promise<unknown>;
}

/** Identifies an action of a run; the same across attempts. */
export interface Call {
  readonly run_id: number;
  readonly event_id: string;
  readonly position: number;
}

/** Failure of an action, for the history; `temporary` if a retry may succeed. */
export class ActionFailed extends Error {
  readonly temporary: boolean;
  constructor(message: string, { temporary = false } = {}) {
    super(message);
    this.temporary = temporary;
  }
}
