// Starts one process of the product as an operator does, and controls it.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { chance } from '../../packages/kit/random.ts';
import type { Place } from './_place.ts';

const root = resolve(import.meta.dirname, '../..');
const LINES = 400;
/** Allows for a busy machine. */
const LONGEST_START_MS = 60_000;

export interface Node {
  readonly url: string;
  readonly child: ChildProcess;
  /** Returns its last output lines, for failure messages. */
  readonly said: () => string;
  /** Waits for /ready; returns the time in ms. @throws when the process exits or takes too long */
  ready(): Promise<number>;
  /**
   * Sends a signal and waits for the exit, and unless it is killed for its last output; returns the exit code, or the
   * name of the signal that ended it.
   */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

/** Starts `node start.js`, or `file` with `args`. It is killed with the test. */
export function startNode(
  t: ExecutionContext,
  place: Pick<Place, 'env'>,
  port: number,
  [file, ...args]: readonly string[] = ['start.js'],
): Node {
  const since = performance.now();
  const url = `http://127.0.0.1:${port}`;
  const env = { PATH: process.env['PATH'], ...place.env, PORT: String(port) };
  const command = ['--disable-proto=delete', '--max-semi-space-size=16', resolve(root, file ?? ''), ...args];
  const child = spawn(process.execPath, command, { cwd: root, env, stdio: 'pipe' });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      lines.push(...text.split('\n').filter((line) => line !== ''));
      lines.splice(0, lines.length - LINES);
    });
  }
  const ended = once(child, 'exit');
  // Its last output may arrive after the exit. Processes of a killed one may keep its output open.
  const closed = once(child, 'close');
  // It writes until it exits, including to the folder that the test removes next.
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const gone = () => child.exitCode !== null || child.signalCode !== null;
  const said = () => lines.join('\n');
  return {
    url,
    child,
    said,
    async ready() {
      while (performance.now() - since < LONGEST_START_MS && !gone()) {
        if (await isReady(url)) return performance.now() - since;
        await sleep(10);
      }
      throw new Error(`The process did not become ready:\n${said()}`);
    },
    async end(signal) {
      if (!gone()) child.kill(signal);
      await (signal === 'SIGKILL' ? ended : closed);
      return child.exitCode ?? child.signalCode;
    },
  };
}

/** /ready returns 200; false without a response. */
export async function isReady(url: string): Promise<boolean> {
  return (await statusOf(`${url}/ready`)) === 200;
}

/** Returns the status of a GET; 0 without a response within 2 s. */
export async function statusOf(url: string): Promise<number> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2000) });
    await answer.text();
    return answer.status;
  } catch {
    return 0;
  }
}

/** Returns a free port below the ephemeral range: no client can take it while its server restarts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(chance() * 12_000);
    const probe = createServer();
    try {
      probe.listen(port, '127.0.0.1');
      await once(probe, 'listening');
      return port;
    } catch {
      // Already in use: try another one.
    } finally {
      probe.close();
    }
  }
}
