// The end of a request whose path has no routes.
import { notFound } from '../../kit/problem.ts';

export function unknown(): never {
  throw notFound('Resource');
}
