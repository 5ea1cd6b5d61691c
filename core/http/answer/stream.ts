// Streaming responses: server-sent events, written straight to the response.
import type { EventSink } from '../../plugin/route/returns.ts';
import type { Koa, Rendered } from '../request-state.ts';

/** Sends the headers and hands over the response. Koa's request ends here, so the access log shows a short one. */
export function openStream(http: Koa, { type, stream }: Rendered, caller: () => Promise<unknown>): void {
  const { res } = http;
  http.status = 200;
  http.set({
    'Content-Type': type,
    'Cache-Control': 'no-store',
    // Disables buffering in nginx.
    'X-Accel-Buffering': 'no',
  });
  http.respond = false;
  res.flushHeaders();
  let over = res.destroyed;
  const closed: (() => void)[] = [];
  const close = (): void => {
    over = true;
    for (const each of closed.splice(0)) each();
  };
  // Without a listener, a write to a broken connection would raise an uncaught error.
  res.on('error', close);
  res.once('close', close);
  const sink: EventSink = {
    get waiting() {
      return res.writableLength;
    },
    write(text) {
      if (!over) res.write(text);
    },
    end(how) {
      if (how === 'cut') res.destroy();
      else res.end();
    },
    onClose(work) {
      if (over) work();
      else closed.push(work);
    },
    caller,
  };
  stream?.open(sink);
}
