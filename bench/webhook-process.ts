// Starts both ends of a delivery (webhook-floor.ts) as processes.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Floor {
  readonly child: ChildProcess;
  readonly port: number;
  count(): Promise<{ readonly came: number; readonly last: number }>;
}

export async function startFloor(args: readonly string[]): Promise<Floor> {
  const child = fork(join(import.meta.dirname, 'webhook-floor.ts'), args);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const count = async () => {
    child.send({});
    return ((await once(child, 'message')) as [{ came: number; last: number }])[0];
  };
  return { child, port, count };
}
