import { job } from '@keelson/core';
import { cancelAfterClosing } from './appointments/after-closing.ts';

export default [
  job('dispatch.cancel-closed', '*/5 * * * *', cancelAfterClosing, { title: 'Cancel appointments of closed tickets' }),
];
