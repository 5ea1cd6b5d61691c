// A plugin for the fault tests that keeps start-up busy after the process is ready.
import { setTimeout as sleep } from 'node:timers/promises';
import { definePlugin } from '@keelson/core';

export default definePlugin({
  id: 'greeter',
  title: 'Greeter',
  version: '1.0.0',
  greeting: async () => {
    await sleep(2000);
    return [];
  },
});
