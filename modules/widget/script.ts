// Script that websites embed. Its sources are in browser/ with their own tsconfig.
import { perApp } from '@keelson/core';
import { cataloguesIn } from '@keelson/core/plugin';
import { browserScript } from './browser-script.ts';

/** In dependency order: each file uses only earlier ones. */
const files = [
  'words.ts',
  'options.ts',
  'memory.ts',
  'server.ts',
  'style.ts',
  'elements.ts',
  'window.ts',
  'chat.ts',
] as const;

export const chatScript = perApp(() =>
  browserScript(`${import.meta.dirname}/browser`, files, { CATALOGUES: cataloguesIn(`${import.meta.dirname}/words`) }),
);
