import { Problem } from '@keelson/core';

const shownKinds: readonly string[] = ['signed-out', 'invalid', 'conflict', 'not-found'];

/** A refusal that a form can show. `too-many` is not one: it has a page of its own, with `Retry-After`. */
export async function orRefusal<T>(work: Promise<T>): Promise<T | Problem> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Problem && shownKinds.includes(error.kind)) return error;
    throw error;
  }
}
