import type { Context } from '@keelson/core';
import { readBranding } from '@keelson/modules/system';

/** Returns the name of the service provider as it is set in Settings. */
export const providerName = async (ctx: Context): Promise<string> => (await readBranding(ctx)).company_name;
