import { input, param, z } from '@keelson/core';
import { deliveryStates } from './delivery-log.ts';

const names = () => z.array(z.string().trim()).min(1, 'must contain at least one event').max(200);

/** Registration fields, shared by both surfaces. */
export const fields = { url: input.url(), events: names(), secret: input.secret(255) };
export const registration = { ...fields, secret: input.optional(fields.secret) };

const DEFAULT_LIMIT = 50;

/** Query of the delivery log; `before` is the last id of the previous page. */
export const logQuery = z
  .object({
    state: param.choice(deliveryStates, { all: true }),
    before: param.id(),
    limit: param.int(1, 200).meta({ override: { default: DEFAULT_LIMIT } }),
  })
  .transform(({ limit = DEFAULT_LIMIT, ...rest }) => ({ ...rest, limit }));
