import { setting, z } from '@keelson/core';

/** When the demo of this database was made: the mark by which the next demo knows that it may delete everything. */
export const DemoMade = setting('demo.made_at', z.string(), '');
