// The load generator. It runs in its own process so that its CPU time counts for no contender.
import { Agent, request as send } from 'node:http';
import { Client } from 'undici';
import type { Load, LoadJob, Request, Sample, SampleJob } from './load-job.ts';

process.on('message', (job: LoadJob | SampleJob) => {
  const done = job.kind === 'load' ? load(job) : sample(job);
  done.then(
    (value) => process.send?.({ value }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  );
});

/**
 * Uses undici: the generator's cost is added to both sides and pulls every ratio towards 1. Autocannon costs five times
 * as much per response, a third of the machine.
 */
async function load({ port, requests, connections, seconds }: LoadJob): Promise<Load> {
  const times: number[] = [];
  const started = performance.now();
  const end = started + seconds * 1000;
  const sendInTurn = async (): Promise<void> => {
    const client = new Client(`http://127.0.0.1:${port}`, { pipelining: 1 });
    try {
      for (let i = 0; performance.now() < end; i++) {
        const request = requests[i % requests.length];
        if (!request) throw new Error('There is nothing to send');
        const sent = performance.now();
        await answered(client, request);
        times.push(performance.now() - sent);
      }
    } finally {
      await client.close();
    }
  };
  await Promise.all(Array.from({ length: connections }, sendInTurn));
  return { requests: times.length, seconds: (performance.now() - started) / 1000, p50: median(times) };
}

/** Resolves with the last byte of the response; the body is discarded. */
function answered(client: Client, { method, path, headers, body }: Request): Promise<void> {
  return new Promise((resolve, reject) => {
    let status = 0;
    client.dispatch(
      { method, path, headers, body: body ?? null },
      {
        onRequestStart: ignore,
        onResponseStart: (_controller, code) => {
          status = code;
        },
        onResponseData: ignore,
        onResponseEnd: () => (status < 300 ? resolve() : reject(new Error(`${method} ${path} responded ${status}`))),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

function ignore(): void {}

async function sample({ targets, times }: SampleJob): Promise<Sample[]> {
  const agent = new Agent({ keepAlive: true });
  const found = targets.map(() => ({ ms: [] as number[], body: '' }));
  for (let i = -2; i < times; i++) {
    for (const [at, target] of targets.entries()) {
      const started = performance.now();
      const body = await ask(agent, target);
      const result = found[at];
      if (!result) continue;
      if (i >= 0) result.ms.push(performance.now() - started);
      result.body = body;
    }
  }
  agent.destroy();
  return found.map(({ ms, body }) => ({ p50: median(ms), body }));
}

function ask(agent: Agent, { port, method, path, headers, body }: Request & { port: number }): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = send({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode === 200 || answer.statusCode === 201) resolve(text);
        else reject(new Error(`${method} ${path} responded ${answer.statusCode}: ${text.slice(0, 200)}`));
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
