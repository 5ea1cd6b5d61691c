// The collector program: polls Keelson for commands, scans the networks it can reach, and sends the results. Requires
// only Node and this folder. Unsent results are kept on disk until Keelson is reachable.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { addressOf, api, messageOf, Refused, type Command } from './api.ts';
import { readAllowed } from './networks.ts';
import { perform, version } from './perform.ts';
import { openQueue } from './queue.ts';

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    'token-file': { type: 'string' },
    allow: { type: 'string', multiple: true, default: [] },
    insecure: { type: 'boolean', default: false },
    dir: { type: 'string', default: 'collector-data' },
    interval: { type: 'string', default: '30' },
    scanner: { type: 'string', default: 'auto' },
    once: { type: 'boolean', default: false },
  },
});
const usage = `usage: node main.ts --url https://keelson.example [--token-file FILE] [--dir DIR] [--interval SECONDS]
       [--scanner auto|nmap|builtin] [--allow NETWORK]… [--insecure] [--once]
       The token is read from the file or from KEELSON_COLLECTOR_TOKEN. Without --allow, only private networks are scanned.`;

function start() {
  // Command-line arguments are visible to every user of the machine.
  if (values.token !== undefined)
    throw new Error('The token cannot be passed as an argument: use --token-file or KEELSON_COLLECTOR_TOKEN');
  const file = values['token-file'];
  const token = file === undefined ? process.env['KEELSON_COLLECTOR_TOKEN'] : readFileSync(file, 'utf8').trim();
  if (!values.url || !token) throw new Error(usage);
  return {
    send: api(addressOf(values.url, { insecure: values.insecure }), token),
    allowed: readAllowed(values.allow),
  };
}

function started() {
  try {
    return start();
  } catch (error) {
    console.error(messageOf(error));
    return process.exit(2);
  }
}

const { send, allowed } = started();
const queue = openQueue(join(values.dir, 'queue'));
const log = (text: string) => console.log(`${new Date().toISOString()} ${text}`);
/** Exit code that tells the service manager to restart the collector. */
const RESTART = 75;
let restart = false;
const pause = Math.max(1, Number(values.interval) || 30) * 1000;

for (;;) {
  await round();
  if (values.once || restart) break;
  await sleep(pause);
}
process.exit(restart ? RESTART : queue.size() === 0 ? 0 : 1);

async function round(): Promise<void> {
  try {
    await queue.flush(send, log);
    const commands = await send.poll();
    await whileKeeping(commands, () => performAll(commands));
    await queue.flush(send, log);
  } catch (error) {
    if (error instanceof Refused && error.status === 401) {
      log('the token is invalid or was revoked');
      process.exit(3);
    }
    log(`${messageOf(error)}; trying again later (version ${version})`);
  }
}

async function performAll(commands: readonly Command[]): Promise<void> {
  for (const command of commands) {
    log(`${command.command_type} ${command.command_id}`);
    const { messages, stop } = await perform(command, { dir: values.dir, scanner: values.scanner, allowed });
    for (const each of messages) queue.add(each);
    restart ||= stop;
  }
}

/** Scans can take hours. Keelson would give commands that it hears nothing of to another collector. */
async function whileKeeping(commands: readonly Command[], work: () => Promise<void>): Promise<void> {
  const keep = () => void send.keep(commands).catch((error: unknown) => log(messageOf(error)));
  const timer = setInterval(keep, pause);
  await work().finally(() => clearInterval(timer));
}
