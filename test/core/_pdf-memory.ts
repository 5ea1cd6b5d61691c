// Creates the largest ticket document several times, and prints how many MiB the process grew.
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { openApp } from '@keelson/testing';
import { pdfStream } from '../../core/files/documents.ts';
import type { ExportRow } from '../../packages/files/write/rows.ts';

setFlagsFromString('--no-wasm-code-gc');

const ROWS = 10_000;
const DOCUMENTS = 3;
const subjects = ['The printer on the second floor prints blank pages', 'Größe Ωλ Привет', '打印机无法打印', 'المدير'];
const columns = [
  ...['number', 'subject', 'priority', 'job_type', 'company', 'requester', 'assigned'].map((key) => ({
    key,
    label: key,
  })),
  { key: 'status', label: 'Status', kind: 'choice' },
  ...['created', 'updated', 'closed'].map((key) => ({ key, label: key, kind: 'moment' as const })),
] as const;

const app = await openApp();
const before = resident();
const after: number[] = [];
for (let i = 0; i < DOCUMENTS; i++) {
  await makeDocument(ROWS);
  after.push(resident() - before);
}
const most = highest() - before;
await app.close();
process.stdout.write(JSON.stringify({ most, after }));

async function makeDocument(rows: number): Promise<void> {
  const list = { title: 'Tickets', filters: [], columns, rows: batches(rows) };
  for await (const piece of await pdfStream(app.app.system(), list)) void piece;
}

async function* batches(rows: number): AsyncGenerator<ExportRow[]> {
  for (let from = 0; from < rows; from += 500) {
    yield Array.from({ length: Math.min(500, rows - from) }, (_, at) => rowOf(from + at));
  }
}

function rowOf(n: number): ExportRow {
  return {
    number: String(1000 + n),
    subject: `${subjects[n % subjects.length]} ${n}`,
    priority: 1 + (n % 5),
    job_type: 'General',
    company: `Company ${n % 300} Manufacturing and Logistics`,
    requester: `Person ${n}`,
    assigned: 'Terry Technician',
    status: n % 2 ? 'open' : 'in_progress',
    created: new Date(1.77e12 + n * 1e6).toISOString(),
    updated: new Date(1.77e12 + n * 2e6).toISOString(),
    closed: null,
  };
}

function resident(): number {
  return mebibytes(process.memoryUsage.rss());
}

/** Returns the kernel's peak value, which no sampling can miss. */
function highest(): number {
  // The maximum of resourceUsage() includes the process that started this one.
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return mebibytes(Number(kilobytes) * 1024);
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
