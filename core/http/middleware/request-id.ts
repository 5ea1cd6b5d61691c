// Assigns every request an id and resolves its client address.
import { newId } from '@keelson/kit/random.ts';
import { clientAddress } from '@keelson/security/address.ts';
import type { Next } from 'koa';
import type { App } from '../../plugin/app.ts';
import { stranger } from '../caller.ts';
import type { Koa, RequestState } from '../request-state.ts';

export function requestId({ config }: App) {
  const secure = config.baseUrl.startsWith('https:');
  return (http: Koa, next: Next): Promise<void> => {
    const ip = clientAddress(http.req.headers, http.req.socket.remoteAddress, config.trustProxy);
    // A cast: `surface` sets `face` before anything reads it.
    http.state = { requestId: newId(), ip, secure, caller: stranger } as RequestState;
    http.set('X-Request-Id', http.state.requestId);
    return next();
  };
}
