// Loads the test files of one part of a group.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { filesOf } from './_files.ts';

/** Declares the tests of all files of a part. */
export async function runGroup(group: string, part: number): Promise<void> {
  for (const file of filesOf(group, part)) await import(pathToFileURL(resolve(file)).href);
}
