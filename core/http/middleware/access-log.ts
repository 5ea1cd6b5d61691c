// Logs every request and records its metrics.
import { requestLog } from '@keelson/log/log.ts';
import type { Next } from 'koa';
import type { App } from '../../plugin/app.ts';
import type { Koa } from '../request-state.ts';

export function accessLog(app: App) {
  const log = requestLog(app.log);
  return async (http: Koa, next: Next): Promise<void> => {
    const started = performance.now();
    await next();
    const { requestId, route, actor, reason } = http.state;
    const seconds = (performance.now() - started) / 1000;
    const name = route ? route.name : 'none';
    app.metrics.request(route?.surface.id ?? 'none', name, http.status, seconds);
    log({
      request_id: requestId,
      method: http.method,
      route: name,
      status: http.status,
      ms: seconds * 1000,
      actor,
      reason,
    });
  };
}
