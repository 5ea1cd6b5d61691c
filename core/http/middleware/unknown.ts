// Returns 404 for a path without routes.
import { notFound } from '@keelson/kit/problem.ts';

export function unknown(): never {
  throw notFound('Resource');
}
