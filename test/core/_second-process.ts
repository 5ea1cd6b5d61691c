// Simulates a second process of the same installation: a separate application on the same database.
import type { TestApp } from '@keelson/testing';
import type { ExecutionContext } from 'ava';
import type { App } from '../../core/plugin/app.ts';
import { loadInstallation } from '../../core/plugin/load/load.ts';
import { createApp, type AppOptions } from '../../core/process/create-app.ts';

/** Creates the second application; it closes with the test. */
export async function secondProcess(
  t: ExecutionContext,
  { app }: TestApp,
  more: Partial<Pick<AppOptions, 'limiter' | 'others'>> = {},
): Promise<App> {
  const { config, clock, log, vault, limiter, guard } = app;
  const second = await createApp({
    ...{ config, clock, log, vault, limiter, guard },
    ...more,
    deliverySeconds: 300,
    installation: await loadInstallation('plugins'),
    open: async () => ({ ...app.database, close: async () => {} }),
  });
  t.teardown(() => second.close());
  return second;
}
