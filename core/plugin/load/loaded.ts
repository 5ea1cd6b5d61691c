// A loaded plugin, and what keeps one from starting.
import type { Plugin } from '../plugin.ts';

/** A plugin and its origin. */
export interface Loaded {
  readonly plugin: Plugin;
  readonly source: 'module' | 'plugin';
  /** The plugin file. */
  readonly file?: string;
}

/** Why a plugin cannot start. */
export interface Fault {
  readonly plugin: string;
  readonly message: string;
}
