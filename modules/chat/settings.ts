import { setting, z } from '@keelson/core';

/** Retention of ended chats, in days. */
export const KeepDays = setting('chat.keep_days', z.int().min(1).max(3650), 90);
