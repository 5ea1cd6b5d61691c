// The script that websites include. What runs in the browser is in browser/, with a tsconfig of its own.
import { browserScript, perApp } from '@keelson/core';

/** In the order of their needs. */
const files = ['options.ts', 'memory.ts', 'server.ts', 'style.ts', 'elements.ts', 'window.ts', 'chat.ts'] as const;

/** The script as text; made once. */
export const chatScript = perApp(() => browserScript(`${import.meta.dirname}/browser`, files));
