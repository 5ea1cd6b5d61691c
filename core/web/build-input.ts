// What a build is told and what it leaves behind: data only, because the build runs in a process of its own.
import type { Part } from '../plugin/part.ts';
import type { PageProblem } from '../plugin/site.ts';
import type { MadePage } from './made-pages.ts';

/** Modules that all pages share, by the names under which pages import them. An import map leads to our one copy of each. */
export const sharedModules = {
  react: 'react',
  'react/jsx-runtime': 'react-jsx-runtime',
  'react-dom': 'react-dom',
  'react-dom/client': 'react-dom-client',
  '@tanstack/react-query': 'query',
  wouter: 'wouter',
  '@keelson/web': 'web',
} as const;

/** A plugin's pages for the console or the portal. */
export interface BuildPart {
  readonly plugin: string;
  readonly source: 'module' | 'plugin';
  readonly kind: Part['kind'];
  readonly folder: string;
  /** The files that are declared, without their ending. */
  readonly files: readonly string[];
  /** Pages made from declarations: their names and code. */
  readonly made: readonly MadePage[];
  /** Bodies of operations that its files import, by the operations' lines. */
  readonly schemas: readonly MadePage[];
}

export interface BuildInput {
  readonly hash: string;
  /** The folder `web` of the installation. */
  readonly web: string;
  readonly parts: readonly BuildPart[];
  /** The empty folder to write to. */
  readonly target: string;
}

/** A file of a build. */
export interface BuiltFile {
  readonly type: string;
  /** The encodings besides the plain one in which it is kept: `br`, `gzip`. */
  readonly encodings: readonly ('br' | 'gzip')[];
}

/** manifest.json of a build, written last. */
export interface Manifest {
  readonly hash: string;
  readonly files: Readonly<Partial<Record<string, BuiltFile>>>;
  readonly problems: readonly PageProblem[];
  /** The files that a shell's first screen needs, for `modulepreload`. */
  readonly preload: Readonly<Record<Part['kind'], readonly string[]>>;
}
