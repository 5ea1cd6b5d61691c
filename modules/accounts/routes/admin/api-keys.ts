import { admin, administrators, all, flat, input, item, nothing, z } from '@keelson/core';
import { ReadSettings, WriteSettings } from '@keelson/modules/system';
import { keyTypes } from '../../entities.ts';
import { isPublic } from '../../keys/key-kinds.ts';
import { changeApiKey, endApiKey, grantApiKey, listApiKeys, readApiKey } from '../../keys/key-settings.ts';
import { findApiKey } from '../../keys/keys.ts';
import { ApiKeyMade, ApiKeyShape } from '../../shapes.ts';

const permissions = z.array(input.text(100)).min(1, 'must name at least one permission').max(500);
const limits = {
  rate_limit_per_minute: input.int(1, 10_000),
  allowed_origins: z.array(input.text(255)).max(100),
  allowed_addresses: z.array(input.text(64)).max(100),
};

const NewKey = z
  .object({
    type: input.optional(input.choice(keyTypes)),
    name: input.text(255),
    permissions: input.optional(permissions),
    rate_limit_per_minute: input.optional(limits.rate_limit_per_minute),
    allowed_origins: input.optional(limits.allowed_origins),
    allowed_addresses: input.optional(limits.allowed_addresses),
    allow_reveal: input.optional(input.flag()),
    expires_at: input.clearable(input.timestamp()),
  })
  .transform(({ type = 'admin', ...rest }) => ({ type, ...rest }))
  .refine((key) => isPublic(key.type) || key.permissions, { path: ['permissions'], error: 'is required' })
  .transform(({ permissions: wanted = [], ...rest }) => ({ ...rest, permissions: wanted }));

export default [
  admin.get('/settings/api-keys.php', {
    title: 'List the API keys',
    access: administrators(ReadSettings),
    returns: all(ApiKeyShape),
    handle: (ctx) => listApiKeys(ctx),
  }),
  admin.get('/settings/api-keys.php?id={id}', {
    title: 'Read an API key',
    addition: true,
    access: administrators(ReadSettings),
    returns: item(ApiKeyShape),
    handle: (ctx, { params: { id } }) => readApiKey(ctx, id),
  }),
  admin.post('/settings/api-keys.php', {
    title: 'Create an API key',
    access: administrators(WriteSettings),
    body: NewKey,
    returns: flat(ApiKeyMade, 201),
    async handle(ctx, { body }) {
      const { key, api_key } = await grantApiKey(ctx, body);
      const message = 'Store this key securely now: it is not shown again.';
      return { success: true as const, data: { ...key, api_key }, message };
    },
  }),
  admin.put('/settings/api-keys.php?id={id}', {
    title: 'Change an API key',
    access: administrators(WriteSettings),
    body: input.changes({ name: input.text(255), permissions, ...limits }),
    returns: item(ApiKeyShape),
    load: (ctx, { id }) => findApiKey(ctx, id),
    handle: (ctx, { item: row, body }) => changeApiKey(ctx, row, body),
  }),
  admin.delete('/settings/api-keys.php?id={id}', {
    title: 'Revoke an API key',
    access: administrators(WriteSettings),
    returns: nothing(),
    handle: (ctx, { params: { id } }) => endApiKey(ctx, id),
  }),
];
