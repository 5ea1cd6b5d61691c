// The tenant's time zone: TIME_ZONE, or the one set by administrators.
import { isZone, utc, zoneOf, type Zone } from '@keelson/kit/moment.ts';
import { z } from 'zod';
import type { Config } from '../../../config/config.ts';
import { setting, type Reader, type Settings } from './settings.ts';

/** An IANA name; null until set, which means UTC. TIME_ZONE takes precedence. */
export const TimeZone = setting('tenant.time_zone', z.string().refine(isZone).nullable(), null);

export interface TenantZone {
  readonly current: Zone;
  /**
   * Reads the zone that is currently set. Called before each request, job and delivery, so that code can use
   * `app.zone`.
   */
  refresh(ctx: Reader): Promise<void>;
}

/** Caches a tenant's time zone. It is UTC until the first refresh, unless TIME_ZONE is set. */
export function createTenantZone({ timeZone }: Config, settings: Settings): TenantZone {
  let current = timeZone === undefined ? utc : zoneOf(timeZone);
  return {
    get current() {
      return current;
    },
    async refresh(ctx) {
      if (timeZone !== undefined) return;
      const name = (await settings.get(ctx, TimeZone)) ?? utc.name;
      if (name !== current.name) current = zoneOf(name);
    },
  };
}
