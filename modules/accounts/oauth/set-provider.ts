// Identity providers set in the console: their metadata is read before they are stored.
import { invalid, type Context } from '@keelson/core';
import {
  openedSettings,
  storeProvider,
  wantedProvider,
  type GivenProvider,
  type ProviderKey,
} from '@keelson/modules/system';
import { redirectUriOf } from './oauth.ts';
import { oidcProvider, OidcRefused, OidcUnreachable, type DiscoveredOidc } from './oidc.ts';

/**
 * Stores a provider and returns its metadata. Opens its own transaction.
 * @throws invalid() if it does not respond as an OpenID Connect provider; conflict() if it is set in the environment
 */
export async function setProvider(ctx: Context, key: ProviderKey, given: GivenProvider): Promise<DiscoveredOidc> {
  const wanted = await wantedProvider(ctx, key, given);
  const client = { ...openedSettings(ctx.app, key, wanted), redirectUri: redirectUriOf(ctx.app) };
  const found = await oidcProvider(ctx.app.egress, client)
    .discovered()
    .catch((error: unknown) => {
      if (!(error instanceof OidcRefused || error instanceof OidcUnreachable)) throw error;
      ctx.log.info({ err: error, provider: key }, 'the identity provider cannot be used');
      throw invalid(`Could not use the identity provider: ${error.message}`);
    });
  await ctx.transaction((inside) => storeProvider(inside, key, wanted));
  return found;
}
