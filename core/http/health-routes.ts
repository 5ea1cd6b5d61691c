// What machines ask: /health, /ready and /metrics.
import type Router from '@koa/router';
import type { App } from '../app.ts';
import { createHealth, databaseCheck, diskCheck } from './health.ts';
import { mayReadMetrics } from '../log/metrics.ts';

/** Adds liveness, readiness and the Prometheus metrics (this machine or a token only). */
export function healthRoutes(router: Router, app: App): void {
  const health = createHealth({
    checks: [databaseCheck(app.database), diskCheck(app.config.dataDir)],
    started: () => app.state.started,
    draining: () => app.state.started && !app.state.ready,
    log: app.log,
  });
  router.get('/health', (http) => {
    const { status, body } = health.live();
    http.status = status;
    http.body = body;
  });
  router.get('/ready', async (http) => {
    const { status, body } = await health.ready();
    http.status = status;
    // A plugin that was left out makes nobody unready; the log and `cli check` say what is wrong with it.
    const missing = new Set(app.leftOut.map((each) => each.plugin)).size;
    http.body = missing === 0 ? body : { ...body, plugins_left_out: missing };
  });
  router.get('/metrics', async (http) => {
    const socketAddress = http.req.socket.remoteAddress;
    if (!mayReadMetrics({ socketAddress, headers: http.req.headers }, app.config.metricsToken)) return http.throw(404);
    http.type = app.metrics.registry.contentType;
    http.body = await app.metrics.text();
  });
}
