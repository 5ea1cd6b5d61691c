import { setting, z } from '@keelson/core';

/** The troubles that administrators were told of, by kind and name. What works again is taken out, so that it is told anew. */
export const ToldTroubles = setting('monitoring.told_troubles', z.array(z.string()), []);
