import { Problem } from '@keelson/core';

const shownKinds: readonly string[] = ['signed-out', 'invalid', 'conflict', 'not-found'];

/** Returns the result, or a refusal that a form can show. `too-many` has its own page, with `Retry-After`. */
export async function orRefusal<T>(work: Promise<T>): Promise<T | Problem> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Problem && shownKinds.includes(error.kind)) return error;
    throw error;
  }
}
