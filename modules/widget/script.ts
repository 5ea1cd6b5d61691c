// The script that websites include. Its sources are in browser/, with a tsconfig of their own.
import { perApp } from '@keelson/core';
import { browserScript } from '@keelson/core/system';

/** Each uses only those before it. */
const files = ['options.ts', 'memory.ts', 'server.ts', 'style.ts', 'elements.ts', 'window.ts', 'chat.ts'] as const;

export const chatScript = perApp(() => browserScript(`${import.meta.dirname}/browser`, files));
