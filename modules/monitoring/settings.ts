import { setting, z } from '@keelson/core';

/**
 * Failures already reported to administrators, by kind and name. Recovered ones are removed so that they are reported
 * again.
 */
export const ToldTroubles = setting('monitoring.told_troubles', z.array(z.string()), []);
