import { setting, z } from '@keelson/core';

/** How many days an ended chat is kept. */
export const KeepDays = setting('chat.keep_days', z.int().min(1).max(3650), 90);
