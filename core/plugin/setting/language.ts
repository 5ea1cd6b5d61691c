// Languages of people. A person's own language takes precedence over their company's, then the provider's, then the
// browser's.
import { key } from '@keelson/database/schema/table.ts';
import { input } from '@keelson/kit/input.ts';
import { isLanguage, isPseudo, languages, type Language } from '@keelson/words';
import { z } from 'zod';
import { setting, type Reader, type Settings } from './settings.ts';

/** The available languages. */
export const languageCodes = Object.keys(languages) as [Language, ...Language[]];

/** The provider's language; empty until set. */
export const ProviderLanguage = setting('tenant.language', z.enum(['', ...languageCodes]), '');

/** Creates a column for the language of a person or company; null until set. */
export const languageColumn = () => key(16).nullable().hidden();

/** The body of a request that sets a language. Null or blank clears it. */
export const languageInput = () => input.changes({ language: input.clearable(input.choice(languageCodes)) });

/** The chosen language, and the one that applies if none is chosen. */
export const LanguageShape = z.object({
  language: z.enum(languageCodes).nullable(),
  /** The language that applies; null for the browser's. */
  effective: z.enum(languageCodes).nullable(),
});

/** Returns the first of these languages that is installed; null if none is. */
export const firstLanguage = (...chosen: readonly (string | null | undefined)[]): Language | null =>
  chosen.find(isLanguage) ?? null;

/** What Koa's context has that tells a browser's language. */
interface Browser {
  readonly cookies: { get(name: string): string | undefined };
  acceptsLanguages(...languages: string[]): string | false;
}

/** Returns the language last used in the browser, otherwise its preferred one; `preferred` takes precedence over that. */
export function browserLanguage(http: Browser, preferred: string | null = null): string {
  const remembered = http.cookies.get('language') ?? '';
  if (isPseudo(remembered) || isLanguage(remembered)) return remembered;
  return preferred ?? (http.acceptsLanguages(...languageCodes) || 'en');
}

/** A person by id or email address, or a company. */
export type Speaker =
  | { readonly employee_number: number }
  | { readonly user_id: number }
  | { readonly company_number: number }
  | { readonly address: string };

/** Implemented by the plugin that manages people. */
export interface LanguagePlugin {
  language?(ctx: Reader, person: Speaker): Promise<string | null>;
}

/** Returns a lookup of a person's language: their own, their company's, or the provider's; null if none is set. */
export function languageFinder(plugins: readonly LanguagePlugin[], settings: Settings) {
  const find = plugins.flatMap((plugin) => plugin.language ?? [])[0];
  return async (ctx: Reader, person: Speaker): Promise<Language | null> =>
    firstLanguage(await find?.(ctx, person), await settings.get(ctx, ProviderLanguage));
}

export interface TenantLanguage {
  /** Null until it is set. */
  readonly current: Language | null;
  /** Reads the language that is currently set. */
  refresh(ctx: Reader): Promise<void>;
}

/** Caches a tenant's language, so that pages are served without reading the database. */
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
