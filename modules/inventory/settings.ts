import { setting, z } from '@keelson/core';

/** Days before the end of a contract, license or domain on which to warn. */
export const ExpiryDays = setting('inventory.expiry_days', z.array(z.int().min(0).max(365)).max(10), [30, 14, 7, 1]);
