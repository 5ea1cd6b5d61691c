// Returns 404 for a path without routes.
import { notFound } from '../../kit/problem.ts';

export function unknown(): never {
  throw notFound('Resource');
}
