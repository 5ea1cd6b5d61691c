// Maps errors of later steps to responses: problems in the surface's format, anything else as a fixed 500.
import type { Next } from 'koa';
import type { App } from '../../plugin/app.ts';
import { sendProblem } from '../answer/answer.ts';
import type { Koa } from '../request-state.ts';

export function problems(app: App) {
  return async (http: Koa, next: Next): Promise<void> => {
    try {
      await next();
    } catch (error) {
      sendProblem(app, http, http.state.face.surface, error);
    }
  };
}
