// Starts the measured processes and reads their CPU time and memory from the kernel.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { cpuMsOf } from '../packages/files/cpu-time.ts';

export interface Running {
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
}

/** Returns the CPU seconds a process has used so far. @throws Error if they cannot be read */
export function cpuSeconds(pid: number): number {
  const ms = cpuMsOf(pid);
  if (ms === undefined) throw new Error(`The CPU time of process ${pid} cannot be read`);
  return ms / 1000;
}

/** Returns the process ids of the children of a process. */
export function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** Returns the resident memory of a process in MiB. */
export function residentMiB(pid: number): number {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+) kB/m);
  return Number(line?.[1]) / 1024;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port was given');
  return address.port;
}

/** Starts a script that prints `{"port":…}` once it listens. */
export async function startScript(args: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await Promise.race([once(child.stdout, 'data'), diesEarly(child, args[0] ?? '')]);
  const { port } = JSON.parse(String(line)) as { port: number };
  return { pid: child.pid ?? 0, port, stop: () => end(child) };
}

/** Starts the product as `npm start` does; resolves once it responds. */
export async function startProduct(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Running & { seconds: number }> {
  const port = await freePort();
  const started = performance.now();
  const child = spawnProduct({ PORT: String(port), ...env }, args);
  await Promise.race([answers(port, child), diesEarly(child, 'start.js')]);
  const seconds = (performance.now() - started) / 1000;
  return { pid: child.pid ?? 0, port, seconds, stop: () => end(child) };
}

/** Starts a process that only delivers webhooks and runs jobs. It has no port to probe for readiness. */
export function startWorker(env: Readonly<Record<string, string>>): Pick<Running, 'pid' | 'stop'> {
  const child = spawnProduct(env, ['--only=jobs']);
  return { pid: child.pid ?? 0, stop: () => end(child) };
}

function spawnProduct(env: Readonly<Record<string, string>>, args: readonly string[]): ChildProcess {
  const options = ['--disable-proto=delete', '--max-semi-space-size=16', 'start.js', ...args];
  return spawn(process.execPath, options, {
    env: { PATH: process.env['PATH'], ACCESS_TOKEN_SECONDS: '86400', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function answers(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    try {
      const { status } = await fetch(`http://127.0.0.1:${port}/ready`);
      if (status === 200) return;
    } catch (error) {
      // The server is not listening yet.
      if (!(error instanceof TypeError)) throw error;
    }
    await wait(5);
  }
}

async function diesEarly(child: ChildProcess, what: string): Promise<never> {
  await once(child, 'exit');
  throw new Error(`${what} ended with ${child.exitCode}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
