// Runs a command and returns the messages to send.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, type Command, type Message } from './api.ts';
import type { Block } from './networks.ts';
import { scan } from './scan.ts';

export const version = '1.1.0';

export interface Settings {
  readonly dir: string;
  readonly scanner: string;
  /** Networks that may be scanned. */
  readonly allowed: readonly Block[];
}

/** Maximum number of devices per message. */
const MOST_DEVICES = 5000;
const MOST_NETWORKS = 256;
const MAX_CONFIG = 64 * 1024;
const known: ReadonlySet<string> = new Set(['scan', 'sync', 'update_config', 'restart']);

/**
 * Returns the messages to send in order, and whether the program must stop. Command errors are reported, not thrown.
 */
export async function perform(command: Command, settings: Settings): Promise<{ messages: Message[]; stop: boolean }> {
  const done = (body: unknown): Message => ({
    path: `/connect/collector/commands/${command.command_id}/complete`,
    body,
  });
  try {
    const { messages, result } = await work(command, settings);
    return { messages: [...messages, done({ status: 'completed', result })], stop: command.command_type === 'restart' };
  } catch (error) {
    const text = messageOf(error);
    return { messages: [done({ status: 'failed', error: text })], stop: false };
  }
}

interface Outcome {
  readonly messages: readonly Message[];
  readonly result: Readonly<Record<string, unknown>>;
}

async function work({ command_type, parameters }: Command, settings: Settings): Promise<Outcome> {
  if (!known.has(command_type)) throw new Error(`${String(command_type).slice(0, 40)} is not a supported command`);
  if (command_type === 'restart') return { messages: [], result: {} };
  if (command_type === 'update_config') {
    mkdirSync(settings.dir, { recursive: true, mode: 0o700 });
    const text = JSON.stringify(Object(parameters['config']));
    if (text.length > MAX_CONFIG) throw new Error('The configuration is too long');
    writeFileSync(configFile(settings), text, { mode: 0o600 });
    return { messages: [], result: {} };
  }
  const subnets = command_type === 'scan' ? [String(parameters['subnet'])] : subnetsOf(settings);
  const { scan_type } = parameters;
  const type = typeof scan_type === 'string' ? scan_type : 'full';
  const job_id = parameters['job_id'];
  const devices = [];
  if (subnets.length > MOST_NETWORKS) throw new Error(`The configuration has more than ${MOST_NETWORKS} networks`);
  for (const each of subnets) devices.push(...(await scan(each, type, settings)));
  const messages: Message[] = [];
  for (let at = 0; at === 0 || at < devices.length; at += MOST_DEVICES) {
    const body = {
      ...(typeof job_id === 'number' && { job_id }),
      version,
      devices: devices.slice(at, at + MOST_DEVICES),
    };
    messages.push({ path: '/connect/sync/discovery.php', body });
  }
  return { messages, result: { devices: devices.length } };
}

const configFile = ({ dir }: Settings): string => join(dir, 'config.json');

/** Returns the networks in the configuration: `{"subnets": ["192.0.2.0/24"]}`. */
function subnetsOf(settings: Settings): string[] {
  try {
    const { subnets } = JSON.parse(readFileSync(configFile(settings), 'utf8'));
    return Array.isArray(subnets) ? subnets.map(String) : [];
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
