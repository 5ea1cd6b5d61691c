// Starts HAProxy with the shipped configuration (config/haproxy.cfg), on local ports.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { freePort } from './_node.ts';

const binary = '/usr/sbin/haproxy';
export const hasHaproxy = existsSync(binary);

export interface Haproxy {
  readonly url: string;
  /** Waits until it uses the process on this port. */
  uses(port: number): Promise<void>;
}

/** Starts it in front of processes on these two ports; it stops with the test. */
export async function startHaproxy(t: ExecutionContext, ports: readonly number[]): Promise<Haproxy> {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-haproxy-'));
  const own = await freePort();
  const socket = join(folder, 'socket');
  const shipped = readFileSync(resolve(import.meta.dirname, '../../config/haproxy.cfg'), 'utf8');
  const changed = shipped
    .replace('maxconn 20000\n', `maxconn 1000\n  stats socket ${socket}\n`)
    .replace('bind :80\n', `bind 127.0.0.1:${own}\n`)
    // Without a certificate, because only the balancing is tested.
    .replace(/^ {2}bind :443 .*\n/m, '')
    .replace(/^ {2}http-request redirect .*\n/m, '')
    .replace('web1:3000', `127.0.0.1:${ports[0]}`)
    .replace('web2:3000', `127.0.0.1:${ports[1]}`);
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, changed);
  execFileSync(binary, ['-c', '-f', file], { stdio: 'pipe' });
  const child = spawn(binary, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  while (!existsSync(socket)) await sleep(10);
  const uses = async (port: number) => {
    const name = `web${ports.indexOf(port) + 1}`;
    while (!new RegExp(`^keelson,${name},.*,UP,`, 'm').test(await tell(socket, 'show stat'))) await sleep(10);
  };
  return { url: `http://127.0.0.1:${own}`, uses };
}

async function tell(socket: string, command: string): Promise<string> {
  const stream = connect(socket);
  stream.write(`${command}\n`);
  return text(stream);
}
