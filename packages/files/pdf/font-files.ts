// Font files of PDF documents. Each fills the gaps of those before it.
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Weight } from './fonts.ts';

export interface FontFile {
  readonly path: string;
  /** The face within a font collection. */
  readonly face?: string;
}

const find = createRequire(import.meta.url);
const folderOf = (name: string) => dirname(find.resolve(`${name}/package.json`));
const dejavu = join(folderOf('dejavu-fonts-ttf'), 'ttf');
const google = (name: string, file: string): FontFile => ({
  path: join(folderOf(`@expo-google-fonts/${name}`), '400Regular', `${file}_400Regular.ttf`),
});

export const NORMAL_FONT = join(dejavu, 'DejaVuSansCondensed.ttf');
const BOLD_FONT = join(dejavu, 'DejaVuSansCondensed-Bold.ttf');

const others: readonly FontFile[] = [
  google('noto-sans-thai', 'NotoSansThai'),
  google('noto-sans-devanagari', 'NotoSansDevanagari'),
  ...optional('@embedpdf/fonts-sc', 'NotoSansHans-Regular.otf'),
  ...optional('@embedpdf/fonts-kr', 'NotoSansKR-Regular.otf'),
  google('noto-emoji', 'NotoEmoji'),
];
export const ownFonts: Readonly<Record<Weight, readonly FontFile[]>> = {
  normal: [{ path: NORMAL_FONT }, ...others],
  bold: [{ path: BOLD_FONT }, ...others],
};

/** A package of 30 to 40 MB, installed for development only. */
function optional(name: string, file: string): FontFile[] {
  try {
    return [{ path: join(dirname(find.resolve(name)), '..', 'fonts', file) }];
  } catch {
    return [];
  }
}

/** Chinese, Japanese and Korean in one file, as Linux distributions package it. */
const COLLECTION = 'NotoSansCJK-Regular.ttc';

/** Returns the Noto Sans fonts in FONTS_DIR, those for Chinese, Japanese and Korean first. */
export function systemFonts(folder: string): FontFile[] {
  const paths = globSync(`**/{${COLLECTION},NotoSans*-Regular.{otf,ttf}}`, { cwd: folder }).toSorted();
  const [collections, single] = [true, false].map((wanted) =>
    paths.filter((each) => each.endsWith(COLLECTION) === wanted).map((each) => join(folder, each)),
  );
  return [
    ...(collections ?? []).map((path) => ({ path, face: 'NotoSansCJKsc-Regular' })),
    ...(single ?? []).map((path) => ({ path })),
  ];
}
