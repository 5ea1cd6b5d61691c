// The thread that renders articles, one after the other; see html-thread.ts.
import { parentPort } from 'node:worker_threads';
import { renderMarkdown } from './render.ts';
import type { RenderJob } from './html-thread.ts';

parentPort?.on('message', ({ content, pictures }: RenderJob) => {
  parentPort?.postMessage(renderMarkdown(content, pictures));
});
parentPort?.postMessage('ready');
