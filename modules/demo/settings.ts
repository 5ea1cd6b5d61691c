import { setting, z } from '@keelson/core';

/** When the demo in this database was created. Its presence allows the next demo to delete everything. */
export const DemoMade = setting('demo.made_at', z.string(), '');
