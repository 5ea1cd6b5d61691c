// The service worker: the only code of ours that runs in a browser without an open page.
import { readFileSync } from 'node:fs';
import { perApp } from '@keelson/core';

export const workerScript = perApp(() => readFileSync(`${import.meta.dirname}/worker.js`, 'utf8'));
