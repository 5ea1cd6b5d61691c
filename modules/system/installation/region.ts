// The tenant's time zone, currency and language, as set by administrators.
import { conflict, z, type Context } from '@keelson/core';
import { hook, readCurrency, runHook } from '@keelson/core/plugin';
import { Currency, ProviderLanguage, TimeZone } from '@keelson/core/system';
import { TimeZoneChanged } from '../events.ts';

export const RegionShape = z.object({
  time_zone: z.string(),
  /** `environment` means TIME_ZONE, which takes precedence and cannot be changed in the console. */
  time_zone_source: z.enum(['environment', 'console', 'none']),
  currency: z.string(),
  /** The language of everyone who has none of their own or of their company; null for the browser's. */
  language: z.string().nullable(),
});

/** Runs before the currency changes. Throws conflict() to prevent it. */
export const CurrencyChanged = hook<string>('system.currency_changed');

export async function readRegion(ctx: Context): Promise<z.output<typeof RegionShape>> {
  const { config, settings } = ctx.app;
  const stored = await settings.get(ctx, TimeZone);
  const currency = await readCurrency(ctx);
  const language = (await settings.get(ctx, ProviderLanguage)) || null;
  if (config.timeZone !== undefined)
    return { time_zone: config.timeZone, time_zone_source: 'environment', currency, language };
  return { time_zone: stored ?? 'UTC', time_zone_source: stored === null ? 'none' : 'console', currency, language };
}

/** Whether the time zone has been set, here or in the environment. */
export async function isRegionSet(ctx: Context): Promise<boolean> {
  return (await readRegion(ctx)).time_zone_source !== 'none';
}

type Chosen = z.output<typeof ProviderLanguage.shape>;

interface GivenRegion {
  readonly time_zone?: string | undefined;
  readonly currency?: string | undefined;
  readonly language?: Chosen | null | undefined;
}

/** Changes the given members. @throws conflict() if TIME_ZONE is set, or a plugin prevents a change of currency */
export async function changeRegion(ctx: Context, { time_zone, currency, language }: GivenRegion): Promise<void> {
  if (time_zone !== undefined) await changeTimeZone(ctx, time_zone);
  if (currency !== undefined) await changeCurrency(ctx, currency);
  if (language !== undefined) await changeLanguage(ctx, language ?? '');
}

async function changeTimeZone(ctx: Context, time_zone: string): Promise<void> {
  const { config, settings } = ctx.app;
  if (config.timeZone === time_zone) return;
  if (config.timeZone !== undefined)
    throw conflict('The time zone is set by TIME_ZONE in the environment: change it there');
  const { before, after } = await settings.change(ctx, TimeZone, () => time_zone);
  if (before === after) return;
  ctx.emit(TimeZoneChanged, { time_zone });
  const description = `Time zone set to ${time_zone}`;
  const changes = { time_zone: [before, after] } as const;
  ctx.record({ action: 'update', entity_type: 'setting', entity_id: TimeZone.name, description, changes });
}

async function changeCurrency(ctx: Context, currency: string): Promise<void> {
  const { before, after } = await ctx.app.settings.change(ctx, Currency, () => currency);
  if (before === after) return;
  await runHook(ctx, CurrencyChanged, currency);
  const description = `Currency set to ${currency}`;
  const changes = { currency: [before, after] } as const;
  ctx.record({ action: 'update', entity_type: 'setting', entity_id: Currency.name, description, changes });
}

async function changeLanguage(ctx: Context, language: Chosen): Promise<void> {
  const { before, after } = await ctx.app.settings.change(ctx, ProviderLanguage, () => language);
  if (before === after) return;
  const description = language === '' ? 'Language removed' : `Language set to ${language}`;
  const changes = { language: [before, after] } as const;
  ctx.record({ action: 'update', entity_type: 'setting', entity_id: ProviderLanguage.name, description, changes });
}
