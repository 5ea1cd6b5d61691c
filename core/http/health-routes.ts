// What machines ask: /health, /ready and /metrics.
import type Router from '@koa/router';
import type { App } from '../plugin/app.ts';
import { mayReadMetrics } from '../log/metrics.ts';

/** Adds liveness, readiness and the Prometheus metrics (this machine or a token only). */
export function healthRoutes(router: Router, app: App): void {
  router.get('/health', (http) => {
    const { status, body } = app.health.live();
    http.status = status;
    http.body = body;
  });
  router.get('/ready', async (http) => {
    const { status, body } = await app.health.ready();
    http.status = status;
    // A plugin that was left out makes nobody unready; the log and `cli check` say what is wrong with it.
    const missing = new Set(app.leftOut.map((each) => each.plugin)).size;
    // Nor does a mail server that is not there: mails wait for it.
    const rest = { ...(missing > 0 && { plugins_left_out: missing }), mail: app.mail.state() };
    http.body = body.checks ? { ...body, ...rest } : body;
  });
  router.get('/metrics', async (http) => {
    const socketAddress = http.req.socket.remoteAddress;
    if (!mayReadMetrics({ socketAddress, headers: http.req.headers }, app.config.metricsToken)) return http.throw(404);
    http.type = app.metrics.page.contentType;
    http.body = await app.metrics.page.text();
  });
}
