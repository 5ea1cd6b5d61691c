import { Problem } from '@keelson/core';

const told: readonly string[] = ['signed-out', 'invalid', 'conflict', 'not-found'];

/** A refusal that a form can tell about; whoever has to wait gets a page of its own, with `Retry-After`. */
export async function orRefusal<T>(work: Promise<T>): Promise<T | Problem> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Problem && told.includes(error.kind)) return error;
    throw error;
  }
}
