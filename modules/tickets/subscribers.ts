import { subscriber } from '@keelson/core';
import { ApproversChanged } from '@keelson/modules/directory';
import { releasePending } from './approval.ts';

export default [
  subscriber('tickets.release', ApproversChanged, (ctx, { data }) => releasePending(ctx, data.company_number)),
];
