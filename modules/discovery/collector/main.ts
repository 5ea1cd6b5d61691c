// The collector: asks Keelson what to do, scans the networks that it can reach, and sends what it has found. It needs Node
// and this folder only. What it could not send is kept on disk, and sent when Keelson can be reached again.
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { api, Refused } from './api.ts';
import { perform, version } from './perform.ts';
import { openQueue } from './queue.ts';

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    dir: { type: 'string', default: 'collector-data' },
    interval: { type: 'string', default: '30' },
    scanner: { type: 'string', default: 'auto' },
    once: { type: 'boolean', default: false },
  },
});
const url = values.url;
const token = values.token ?? process.env['KEELSON_COLLECTOR_TOKEN'];
if (!url || !token) {
  console.error('usage: node main.ts --url https://keelson.example --token col_… [--dir DIR] [--interval SECONDS]');
  console.error(
    '       [--scanner auto|nmap|builtin] [--once]    The token may be in KEELSON_COLLECTOR_TOKEN instead.',
  );
  process.exit(2);
}

const send = api(url, token);
const queue = openQueue(join(values.dir, 'queue'));
const log = (text: string) => console.log(`${new Date().toISOString()} ${text}`);
/** A service manager is expected to start it again. */
const RESTART = 75;
let restart = false;

for (;;) {
  await round();
  if (values.once || restart) break;
  await sleep(Math.max(1, Number(values.interval) || 30) * 1000);
}
process.exit(restart ? RESTART : queue.size() === 0 ? 0 : 1);

async function round(): Promise<void> {
  try {
    await queue.flush(send, log);
    for (const command of await send.poll()) {
      log(`${command.command_type} ${command.command_id}`);
      const { messages, stop } = await perform(command, { dir: values.dir, scanner: values.scanner });
      for (const each of messages) queue.add(each);
      restart ||= stop;
    }
    await queue.flush(send, log);
  } catch (error) {
    if (error instanceof Refused && error.status === 401) {
      log('the token is not valid (any more)');
      process.exit(3);
    }
    log(`${error instanceof Error ? error.message : String(error)}; trying again later (version ${version})`);
  }
}
