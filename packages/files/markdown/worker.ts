// The worker thread that renders Markdown, one text at a time (markdown-thread.ts).
import { parentPort } from 'node:worker_threads';
import { renderMarkdown } from './render.ts';
import type { RenderJob } from './renderer.ts';

parentPort?.on('message', ({ text, pictures }: RenderJob) => {
  parentPort?.postMessage(renderMarkdown(text, pictures));
});
parentPort?.postMessage('ready');
