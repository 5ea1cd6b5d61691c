import { admin, input, invalid, item, notFound, nothing, z } from '@keelson/core';
import {
  AdministratorSession,
  audiences,
  providerKeys,
  ProviderShape,
  readProvider,
  readProviders,
  ReadSettings,
  storeProvider,
  type ProviderKey,
} from '@keelson/modules/system';
import { redirectUriOf } from '../../oauth/oauth.ts';
import { setProvider } from '../../oauth/set-provider.ts';

const DIRECTORY = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DOMAIN = /^(?:\*|(?=.{1,253}$)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+)$/i;
const MOST = 500;

const word = (max: number) => input.text(max).regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces');

const Body = z.object({
  key: input.choice(providerKeys),
  issuer: input.optionalText(255),
  client_id: word(400),
  client_secret: input.secret(400).optional(),
  name: input.optionalText(60),
  domains: z
    .array(z.string())
    .max(MOST)
    .refine((all) => all.every((each) => DOMAIN.test(each)), 'must be mail domains such as example.com, or *'),
  companies: z
    .array(z.int().nullable())
    .max(MOST)
    .refine((all) => all.every((each) => each !== null && each > 0), 'must be company numbers')
    .transform((all) => all.filter((each) => each !== null)),
  audience: input.choice(audiences).default('customers'),
});

export default [
  admin.get('/settings/identity-providers.php', {
    title: 'List the identity providers that can be set up',
    addition: true,
    access: ReadSettings,
    returns: item(z.object({ redirect_uri: z.string(), providers: z.array(ProviderShape) })),
    handle: async (ctx) => ({ redirect_uri: redirectUriOf(ctx.app), providers: await readProviders(ctx) }),
  }),
  admin.put('/settings/identity-providers.php', {
    title: 'Set an identity provider',
    addition: true,
    access: AdministratorSession,
    body: Body,
    returns: item(
      ProviderShape.extend({
        found: z.object({ issuer: z.string(), authorization_endpoint: z.string(), token_endpoint: z.string() }),
      }),
    ),
    slow: true,
    handle: async (ctx, { body: { key, ...given } }) => {
      const issuer = checkedIssuer(key, given.issuer ?? '');
      const found = await setProvider(ctx, key, { ...given, issuer, name: given.name ?? '' });
      return { ...(await readProvider(ctx, key)), found };
    },
  }),
  admin.delete('/settings/identity-providers.php?key={key:text}', {
    title: 'Remove an identity provider',
    addition: true,
    access: AdministratorSession,
    returns: nothing(),
    handle: (ctx, { params: { key } }) => storeProvider(ctx, keyOf(key), null),
  }),
];

function keyOf(text: string): ProviderKey {
  const key = providerKeys.find((each) => each === text);
  if (!key) throw notFound('Identity provider');
  return key;
}

/** Checks the issuer or directory. @throws invalid() */
function checkedIssuer(key: ProviderKey, issuer: string): string {
  if (key === 'google') return '';
  if (key === 'microsoft') {
    if (!DIRECTORY.test(issuer)) throw invalid('issuer must be a directory ID (UUID)');
    return issuer;
  }
  const at = URL.parse(issuer);
  const local = at !== null && ['localhost', '127.0.0.1', '[::1]'].includes(at.hostname);
  if (!at || !(at.protocol === 'https:' || (local && at.protocol === 'http:')) || at.search || at.hash || at.username)
    throw invalid('issuer must be an https URL such as https://id.example.com');
  return issuer;
}
