// Assigns every request an id and resolves its client address.
import type { Next } from 'koa';
import { newId } from '../../kit/random.ts';
import type { App } from '../../plugin/app.ts';
import { clientAddress } from '../../security/address.ts';
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
