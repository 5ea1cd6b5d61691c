// The input and output of a build. Plain data, because the build runs in a separate process.
import type { Catalogue } from '@keelson/words';

/** Modules shared by all pages, by import name. An import map resolves each to our single copy. */
export const sharedModules = {
  react: 'react',
  'react/jsx-runtime': 'react-jsx-runtime',
  'react-dom': 'react-dom',
  'react-dom/client': 'react-dom-client',
  '@tanstack/react-query': 'query',
  wouter: 'wouter',
  '@keelson/web': 'web',
  '@keelson/web/made': 'made',
} as const;

export type PartKind = 'console' | 'portal';

/** A page or part that failed to build, with the reason. */
export interface PageProblem {
  readonly plugin: string;
  readonly kind: PartKind;
  readonly file: string;
  /** Location and reason: `console/claims.tsx:12:3: …`. */
  readonly message: string;
}

/** A file that exists only during the build. */
export interface MadePage {
  readonly name: string;
  readonly code: string;
}

/** A plugin's pages for the console or the portal. */
export interface BuildPart {
  readonly plugin: string;
  readonly source: 'module' | 'plugin';
  readonly kind: PartKind;
  readonly folder: string;
  /** The declared files, without extension. */
  readonly files: readonly string[];
  /** Pages generated from declarations: their names and code. */
  readonly made: readonly MadePage[];
  /** Request body schemas its files import, by operation. */
  readonly schemas: readonly MadePage[];
}

/** A plugin's catalogues by language. The kit and the shells are `web`. */
export interface PluginWords {
  readonly plugin: string;
  readonly catalogues: Readonly<Record<string, Catalogue>>;
  /** The titles in its declarations and its terms, which shells and pages of others show without its catalogue. */
  readonly shared: readonly string[];
}

/** What is built. */
export interface Sources {
  /** The build's name: a hash of everything it reads. */
  readonly hash: string;
  /** The installation's `web` folder. */
  readonly web: string;
  readonly parts: readonly BuildPart[];
  readonly words: readonly PluginWords[];
}

export interface BuildInput extends Sources {
  /** The empty folder to write to. */
  readonly target: string;
}

/** A file of a build. */
export interface BuiltFile {
  readonly type: string;
  /** Compressed variants stored next to the plain file: `br`, `gzip`. */
  readonly encodings: readonly ('br' | 'gzip')[];
}

/** A build's manifest.json, written last. */
export interface Manifest {
  readonly hash: string;
  readonly files: Readonly<Partial<Record<string, BuiltFile>>>;
  readonly problems: readonly PageProblem[];
  /** The files a shell's first screen needs, for `modulepreload`. */
  readonly preload: Readonly<Record<PartKind, readonly string[]>>;
}
