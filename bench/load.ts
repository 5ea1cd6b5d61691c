// The load generator, a process of its own: what it costs must not be counted as anybody's.
import { Agent, request as send } from 'node:http';
import autocannon from 'autocannon';
import type { Load, LoadJob, Request, Sample, SampleJob } from './load-job.ts';

process.on('message', (job: LoadJob | SampleJob) => {
  const done = job.kind === 'load' ? load(job) : sample(job);
  done.then(
    (value) => process.send?.({ value }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  );
});

async function load({ port, requests, connections, seconds }: LoadJob): Promise<Load> {
  const times: number[] = [];
  const running = autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    requests: requests.map((each) => ({ ...each, headers: { ...each.headers } })),
  });
  running.on('response', (_client: unknown, _status: number, _bytes: number, ms: number) => times.push(ms));
  const { errors, non2xx, duration } = await running;
  if (errors > 0 || non2xx > 0) throw new Error(`${non2xx} answers were not 2xx, ${errors} requests failed`);
  return { requests: times.length, seconds: duration, p50: median(times) };
}

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
        else reject(new Error(`${method} ${path} answered ${answer.statusCode}: ${text.slice(0, 200)}`));
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
