// Persistent queue of unsent messages, one file each, in order. Files are written atomically.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refused, type Message, type Send } from './api.ts';

export interface Queue {
  add(message: Message): void;
  size(): number;
  /** Sends queued messages, oldest first. @throws if Keelson cannot be reached; the rest stays queued */
  flush(send: Send, log: (text: string) => void): Promise<void>;
}

export function openQueue(folder: string): Queue {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const names = () =>
    readdirSync(folder)
      .filter((each) => each.endsWith('.json'))
      .toSorted();
  let next = Number.parseInt(names().at(-1) ?? '0', 10) + 1;
  return {
    add(message) {
      const name = join(folder, `${String(next++).padStart(10, '0')}.json`);
      writeFileSync(`${name}.tmp`, JSON.stringify(message), { mode: 0o600 });
      renameSync(`${name}.tmp`, name);
    },
    size: () => names().length,
    async flush(send, log) {
      for (const name of names()) {
        const file = join(folder, name);
        try {
          await send.post(JSON.parse(readFileSync(file, 'utf8')));
        } catch (error) {
          if (!(error instanceof Refused) || mayWorkLater(error.status)) throw error;
          log(`skipped ${name}: ${error.message}`);
        }
        rmSync(file);
      }
    },
  };
}

const mayWorkLater = (status: number): boolean => status >= 500 || [401, 408, 429].includes(status);
