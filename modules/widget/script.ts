// The script that websites include. Its sources are in browser/, with a tsconfig of their own.
import { browserScript, perApp } from '@keelson/core';

/** Each uses only those before it. */
const files = ['options.ts', 'memory.ts', 'server.ts', 'style.ts', 'elements.ts', 'window.ts', 'chat.ts'] as const;

export const chatScript = perApp(() => browserScript(`${import.meta.dirname}/browser`, files));
