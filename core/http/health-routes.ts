// Operational endpoints: health, readiness and metrics.
import { probePaths } from '@keelson/log/health.ts';
import { mayReadMetrics } from '@keelson/log/metrics.ts';
import type Router from '@koa/router';
import type { App } from '../plugin/app.ts';
import { troubleNames } from '../plugin/troubles.ts';

/** Adds liveness, readiness and Prometheus metrics (only from this machine or with the token). */
export function healthRoutes(router: Router, app: App): void {
  router.get(probePaths.health, (http) => {
    const { status, body } = app.health.live();
    http.status = status;
    http.body = body;
  });
  router.get(probePaths.ready, async (http) => {
    const { status, body } = await app.health.ready();
    http.status = status;
    // Left-out plugins do not affect readiness. The log and `cli check` give the reason.
    const missing = new Set(app.leftOut.map((each) => each.plugin)).size;
    // A missing mail server does not affect readiness either: mails stay queued.
    const details = {
      version: app.version,
      ...(missing > 0 && { plugins_left_out: missing }),
      ...(await troubleNames(app)()),
      mail: await app.mail.state(app.system()),
    };
    http.body = body.checks ? { ...body, ...details } : body;
  });
  router.get(probePaths.metrics, async (http) => {
    const socketAddress = http.req.socket.remoteAddress;
    if (!mayReadMetrics({ socketAddress, headers: http.req.headers }, app.config.metricsToken)) return http.throw(404);
    http.type = app.metrics.page.contentType;
    http.body = await app.metrics.page.text();
  });
}
