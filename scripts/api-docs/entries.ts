// Exports of a @keelson/core entry by subject; the comment above a block of exports is its subject.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceOf } from './declarations.ts';

export interface Exported {
  readonly name: string;
  /** Declared name: `Technician` for `Technician as TechnicianActor`. */
  readonly original: string;
  /** `packages/kit/time.ts`, or a package. */
  readonly from: string;
  /** Comment above the export, for exports of a package. */
  readonly comment: string;
}

export interface Section {
  readonly title: string;
  readonly comment: string;
  readonly exports: readonly Exported[];
}

export interface Entry {
  /** For example `@keelson/core/system`. */
  readonly name: string;
  /** For example `core/system.ts`. */
  readonly path: string;
  readonly sections: readonly Section[];
}

const reExport = /^((?:\/\/ .*\n)*)export (?:type )?\{([^}]*)\} from '([^']+)';$/gm;

/** Reads an entry. @throws Error if a block of exports has no subject */
export function readEntry(root: string, name: string, path: string): Entry {
  const blocks = readFileSync(join(root, path), 'utf8').split(/\n\n+/);
  return {
    name,
    path,
    sections: blocks.filter((block) => /^export /m.test(block)).map((block) => sectionOf(path, block)),
  };
}

function sectionOf(path: string, block: string): Section {
  const [, subject = '', rest = ''] = /^((?:\/\/ .*\n)*)([^]*)$/.exec(block) ?? [];
  const words = textOf(subject).replace(/\.$/, '');
  if (words === '') throw new Error(`${path}: a block of exports without a heading`);
  const [, title = '', comment = ''] = /^(.*?)(?::\s+(.*))?$/.exec(words) ?? [];
  return {
    title,
    comment: comment === '' ? '' : `${comment[0]?.toUpperCase()}${comment.slice(1)}.`,
    exports: exportsOf(path, rest),
  };
}

function exportsOf(path: string, block: string): Exported[] {
  return [...block.matchAll(reExport)].flatMap(([, comment = '', names = '', from = '']) =>
    names
      .split(',')
      .map((each) => each.trim().replace(/^type /, ''))
      .filter((each) => each !== '')
      .map((each) => {
        const [original = '', name = original] = each.split(' as ');
        return { name, original, from: sourceOf(path, from), comment: textOf(comment) };
      }),
  );
}

const textOf = (comment: string): string =>
  comment
    .replace(/^\/\/ ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
