import { job } from '@keelson/core';
import { pruneMails, receiveAll } from './receive.ts';

export default [job('mailbox.receive', '*/20 * * * * *', receiveAll), job('mailbox.prune', '35 3 * * *', pruneMails)];
