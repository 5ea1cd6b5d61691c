import { admin, administrators, input, item, nothing, z } from '@keelson/core';
import { backupDays, keptLimits } from '@keelson/core/system';
import { changeSchedule, readSchedule, removeSchedule, ScheduleShape } from '../../installation/backup-schedule.ts';
import { ReadSettings, WriteSettings } from '../../permissions.ts';

const Administer = administrators(WriteSettings);

export default [
  admin.get('/settings/backup.php', {
    title: 'Read the backup schedule',
    addition: true,
    access: ReadSettings,
    returns: item(ScheduleShape),
    handle: (ctx) => readSchedule(ctx),
  }),
  admin.put('/settings/backup.php', {
    title: 'Set the backup schedule',
    addition: true,
    access: Administer,
    body: z.object({
      days: input.choice(backupDays),
      at: input.text(5).regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time (HH:MM)'),
      daily: input.int(...keptLimits.daily),
      weekly: input.int(...keptLimits.weekly),
      monthly: input.int(...keptLimits.monthly),
    }),
    returns: item(ScheduleShape),
    slow: true,
    handle: async (ctx, { body }) => {
      await changeSchedule(ctx, body);
      return readSchedule(ctx);
    },
  }),
  admin.delete('/settings/backup.php', {
    title: 'Turn off scheduled backups',
    addition: true,
    access: Administer,
    returns: nothing(),
    handle: (ctx) => removeSchedule(ctx),
  }),
];
