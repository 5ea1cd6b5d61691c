import { added, admin, administrators, all, input, item, nothing, show, showOne, z } from '@keelson/core';
import { ReadSettings, WriteSettings } from '@keelson/modules/system';
import { TimeEntryItem } from '@keelson/modules/tickets';
import { people } from '../../access.ts';
import { TimeRounding } from '../../settings.ts';
import { changeRounding, readRounding, roundingChanges } from '../../time/time-rounding.ts';
import {
  discardTimer,
  listTimers,
  lockTimer,
  pauseTimer,
  resumeTimer,
  startTimer,
  stopFields,
  stopTimer,
  TimerItem,
} from '../../time/timers.ts';

// Measured time stays private until it is logged.
const own = { access: people, addition: true, unlogged: true } as const;

export default [
  admin.get('/timers.php', {
    title: 'List your timers',
    ...own,
    returns: all(TimerItem),
    handle: async (ctx) => show(ctx, TimerItem, await listTimers(ctx)),
  }),
  admin.post('/timers.php', {
    title: 'Start a timer',
    ...own,
    body: z.object({ ticket_id: input.id() }),
    returns: added(TimerItem),
    handle: async (ctx, { body }) => {
      const { row, added: isNew } = await startTimer(ctx, body.ticket_id);
      return { row: await showOne(ctx, TimerItem, row), added: isNew };
    },
  }),
  admin.put('/timers.php?action=pause&id={id}', {
    title: 'Pause a timer',
    ...own,
    returns: item(TimerItem),
    load: (ctx, { id }) => lockTimer(ctx, id),
    handle: (ctx, { item: timer }) => showOne(ctx, TimerItem, pauseTimer(ctx, timer)),
  }),
  admin.put('/timers.php?action=resume&id={id}', {
    title: 'Resume a timer',
    ...own,
    returns: item(TimerItem),
    load: (ctx, { id }) => lockTimer(ctx, id),
    handle: (ctx, { item: timer }) => showOne(ctx, TimerItem, resumeTimer(ctx, timer)),
  }),
  admin.put('/timers.php?action=stop&id={id}', {
    title: 'Stop a timer and log its time',
    access: people,
    addition: true,
    body: stopFields,
    returns: item(TimeEntryItem),
    load: (ctx, { id }) => lockTimer(ctx, id),
    handle: (ctx, { item: timer, body }) => showOne(ctx, TimeEntryItem, stopTimer(ctx, timer, body)),
  }),
  admin.delete('/timers.php?id={id}', {
    title: 'Discard a timer',
    ...own,
    returns: nothing(),
    load: (ctx, { id }) => lockTimer(ctx, id),
    handle: (ctx, { item: timer }) => discardTimer(ctx, timer),
  }),
  admin.get('/settings/time-rounding.php', {
    title: 'Read the time rounding settings',
    access: ReadSettings,
    addition: true,
    returns: item(TimeRounding.shape),
    handle: (ctx) => readRounding(ctx),
  }),
  admin.put('/settings/time-rounding.php', {
    title: 'Update the time rounding settings',
    access: administrators(WriteSettings),
    addition: true,
    body: roundingChanges,
    returns: item(TimeRounding.shape),
    handle: (ctx, { body }) => changeRounding(ctx, body),
  }),
];
