// Languages of people. A person's language takes precedence over their company's, then the provider's, then the
// browser's.
import { z } from 'zod';
import { isLanguage, languages, type Language } from '@keelson/words';
import { key } from '../database/table.ts';
import { input } from '../kit/input.ts';
import { setting, type Reader, type Settings } from './settings.ts';

/** The languages that people can choose. */
export const languageCodes = Object.keys(languages) as [Language, ...Language[]];

/** The provider's language; empty until set. */
export const ProviderLanguage = setting('tenant.language', z.enum(['', ...languageCodes]), '');

/** A column for the language of a person or a company; null until set. */
export const languageColumn = () => key(16).nullable().hidden();

/** The body of a request that sets a language. Null or blank removes it. */
export const languageInput = () => input.changes({ language: input.clearable(input.choice(languageCodes)) });

/** A chosen language, and the one in use where none is chosen. */
export const LanguageShape = z.object({
  language: z.enum(languageCodes).nullable(),
  /** The language in use; null for that of the browser. */
  effective: z.enum(languageCodes).nullable(),
});

/** Returns the first language that is installed; null if there is none. */
export const firstLanguage = (...chosen: readonly (string | null | undefined)[]): Language | null =>
  chosen.find(isLanguage) ?? null;

/** A person by id or by their mail address, or a company. */
export type Speaker =
  | { readonly employee_number: number }
  | { readonly user_id: number }
  | { readonly company_number: number }
  | { readonly address: string };

/** The member of the plugin that knows people. */
export interface LanguagePlugin {
  language?(ctx: Reader, person: Speaker): Promise<string | null>;
}

/** Returns how to find a person's language: theirs, their company's, or the provider's; null if none is set. */
export function languageFinder(plugins: readonly LanguagePlugin[], settings: Settings) {
  const find = plugins.flatMap((plugin) => plugin.language ?? [])[0];
  return async (ctx: Reader, person: Speaker): Promise<Language | null> =>
    firstLanguage(await find?.(ctx, person), await settings.get(ctx, ProviderLanguage));
}

export interface TenantLanguage {
  /** Null until it is set. */
  readonly current: Language | null;
  /** Adopts the language that is set now. */
  refresh(ctx: Reader): Promise<void>;
}

/** Keeps a tenant's language, so that pages are served without reading the database. */
export function createTenantLanguage(settings: Settings): TenantLanguage {
  let current: Language | null = null;
  return {
    get current() {
      return current;
    },
    async refresh(ctx) {
      current = firstLanguage(await settings.get(ctx, ProviderLanguage));
    },
  };
}
