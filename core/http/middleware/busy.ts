// Sheds requests while the process is overloaded.
import { unavailable } from '@keelson/kit/problem.ts';
import type { Next } from 'koa';
import type { App } from '../../plugin/app.ts';
import type { Koa } from '../request-state.ts';

export function busy({ guard }: App) {
  return (_: Koa, next: Next): Promise<void> => {
    if (guard.overloaded()) throw unavailable('Server is busy, try again shortly');
    return next();
  };
}
