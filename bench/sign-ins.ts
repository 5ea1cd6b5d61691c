// Signs people in, and times concurrent requests. Each sign-in comes from its own address, as in a real crowd: limits
// per address are not under test.
import { Agent, request } from 'node:http';
import bcrypt from 'bcrypt';

export interface Client {
  signIn(email: string, password: string): Promise<Timed>;
  get(path: string, key: string): Promise<Timed>;
  close(): void;
}

export interface Timed {
  readonly status: number;
  readonly ms: number;
}

export function client(port: number): Client {
  const agent = new Agent({ keepAlive: true });
  let address = 0;
  const send = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    new Promise<Timed>((resolve, reject) => {
      const started = performance.now();
      const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
        answer.resume();
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, ms: performance.now() - started }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  return {
    signIn(username, password) {
      const from = `10.${(++address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`;
      const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': from };
      return send('POST', '/helpdesk/api/v1/auth/login', headers, JSON.stringify({ username, password }));
    },
    get: (path, key) => send('GET', path, { Authorization: `Bearer ${key}` }),
    close: () => agent.destroy(),
  };
}

/** Repeats `work` on this many lanes for some seconds; returns its results. */
export async function lanes<T>(n: number, seconds: number, work: (i: number) => Promise<T>): Promise<T[]> {
  const until = performance.now() + seconds * 1000;
  const found: T[] = [];
  let next = 0;
  const lane = async () => {
    while (performance.now() < until) found.push(await work(next++));
  };
  await Promise.all(Array.from({ length: n }, lane));
  return found;
}

/** Returns how many hashes per second an otherwise idle machine verifies. */
export async function bareHashes(cost: number, atOnce: number, seconds: number): Promise<number> {
  const hash = await bcrypt.hash('a password', cost);
  const started = performance.now();
  const done = await lanes(atOnce, seconds, () => bcrypt.compare('a password', hash));
  return (done.length * 1000) / (performance.now() - started);
}

/** Returns the probability that a value of `a` exceeds one of `b`: 0.5 when they are indistinguishable. */
export function auc(a: readonly number[], b: readonly number[]): number {
  const wins = a.map((x) => b.reduce((sum, y) => sum + (x > y ? 1 : x === y ? 0.5 : 0), 0));
  return wins.reduce((sum, each) => sum + each, 0) / (a.length * b.length);
}
