import { job } from '@keelson/core';
import { receiveAll } from './receive.ts';

export default [job('mailbox.receive', '*/20 * * * * *', receiveAll)];
