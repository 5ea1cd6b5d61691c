// Chat logic: opens the window, starts a session, sends messages. No request is made until it is opened.
import { memory } from './memory.ts';
import { isColor, readOptions, type Options } from './options.ts';
import { serverAt, type Exchange, type Failed, type Reply, type Server } from './server.ts';
import { chatWindow, type Bubble, type ChatWindow } from './window.ts';
import { t } from './words.ts';

const UNREACHED = t('We’re unavailable right now. Please try again later.');
const REFUSED = t('Chat is not available on this page.');
const STATUS_MAX_AGE_MS = 60_000;
const ENDED = t('This chat has ended. Send a message to start a new one.');
const LISTEN_MS = 5000;
const MAX_TRIES = 4;
const MAX_WAIT_SECONDS = 60;

const script = document.currentScript ?? document.querySelector('script[src*="/widget/chat.js"]');
if (script instanceof HTMLScriptElement && script.src) whenReady(() => start(new URL(script.src).origin));

function whenReady(then: () => void): void {
  if (document.body) then();
  else document.addEventListener('DOMContentLoaded', then, { once: true });
}

function start(origin: string): void {
  // The page may include the script twice.
  if (document.querySelector('[data-chat-widget]')) return;
  const options = readOptions((globalThis as { ChatWidgetConfig?: unknown }).ChatWidgetConfig);
  if (options) chat(options, serverAt(origin, options.publicKey));
}

function chat(options: Options, server: Server): void {
  let session: string | undefined;
  let greeted = false;
  /** Session whose messages are polled. */
  let listening: string | undefined;
  let statusAt = -Infinity;
  /** Number of messages sent, from which each gets its id. */
  let sent = 0;
  /** Sends messages one at a time, in order. */
  let queue: Promise<unknown> = Promise.resolve();

  const view: ChatWindow = chatWindow(options, {
    open: () => open(true),
    close() {
      memory.rememberClosed();
      view.close();
    },
    send,
    end: () => void end(),
  });
  if (!options.primaryColor) {
    const color = memory.color();
    if (isColor(color)) view.paint(color);
  }
  if (options.autoOpen && !memory.wasClosed()) {
    setTimeout(() => {
      const hidden = !options.showOnMobile && matchMedia('(max-width: 639.98px)').matches;
      if (!view.isOpen() && !memory.wasClosed() && !hidden) open(false);
    }, options.autoOpenDelay);
  }

  function open(focus: boolean): void {
    view.open(focus);
    void showStatus();
    if (!greeted) queue = queue.then(begin);
  }

  async function showStatus(): Promise<void> {
    if (performance.now() - statusAt < STATUS_MAX_AGE_MS) return;
    const reply = await server.status();
    if (!reply.ok) return;
    statusAt = performance.now();
    const { status, message } = reply.body;
    view.notice(status === 'operating_normally' ? '' : message, status === 'outage');
  }

  /** Starts a session if there is none, and greets once. Returns the failed reply, if any. */
  async function begin(): Promise<Failed | undefined> {
    if (session !== undefined) return undefined;
    view.state(t('Connecting…'));
    const reply = await retrying(() => server.init(memory.visitor()));
    view.state(reply.ok ? '' : failureText(reply.status));
    if (!reply.ok) return reply;
    const { session_id, visitor_id, greeting, branding } = reply.body;
    session = session_id;
    memory.rememberVisitor(visitor_id);
    view.brand(branding.company_name, branding.logo_url);
    if (!options.primaryColor && isColor(branding.primary_color)) {
      memory.rememberColor(branding.primary_color);
      view.paint(branding.primary_color);
    }
    view.endable(true);
    if (!greeted) view.say('assistant', options.greeting ?? greeting);
    greeted = true;
    return undefined;
  }

  function send(text: string): void {
    view.offer([]);
    const bubble = view.say('visitor', text);
    sent += 1;
    const id = String(sent);
    queue = queue.then(() => deliver(text, id, bubble));
  }

  async function deliver(text: string, id: string, bubble: Bubble): Promise<void> {
    bubble.unsent(null);
    const reply = await exchange(text, id);
    if (reply.ok) {
      const { message, suggested_actions } = reply.body.response;
      view.state('');
      if (message !== '') view.say('assistant', message);
      if (reply.body.handed_over) void listen();
      return view.offer(suggested_actions);
    }
    view.state(failureText(reply.status));
    bubble.unsent(() => {
      queue = queue.then(() => deliver(text, id, bubble));
    });
  }

  /** Polls for messages from a person while this session lasts. */
  async function listen(): Promise<void> {
    const heard = session;
    if (heard === undefined || listening === heard) return;
    listening = heard;
    let since: string | undefined;
    for (;;) {
      await new Promise((done) => setTimeout(done, LISTEN_MS));
      if (session !== heard) return;
      const reply = await server.messages(heard, since);
      if (session !== heard) return;
      for (const { sender_type, message } of reply.ok ? reply.body.messages : []) {
        if (sender_type === 'agent') view.say('assistant', message);
      }
      if (reply.ok) since = reply.body.messages.at(-1)?.created_at ?? since;
      const ended = reply.ok ? reply.body.status === 'ended' : reply.status === 400 || reply.status === 404;
      if (!ended) continue;
      session = undefined;
      view.say('assistant', ENDED);
      return;
    }
  }

  /** Starts a new session if the server has ended this one. */
  async function exchange(text: string, id: string, renewed = false): Promise<Reply<Exchange>> {
    const failed = await begin();
    if (failed) return failed;
    view.state('…');
    const reply = await retrying(() => server.message(session ?? '', text, id));
    const hasEnded = !reply.ok && (reply.status === 400 || reply.status === 404);
    if (!hasEnded || renewed) return reply;
    session = undefined;
    return exchange(text, id, true);
  }

  /** Retries after status 429 once the requested time has passed. */
  async function retrying<Body>(ask: () => Promise<Reply<Body>>): Promise<Reply<Body>> {
    let reply = await ask();
    for (let i = 1; i < MAX_TRIES && !reply.ok && reply.status === 429; i++) {
      const seconds = Math.min(MAX_WAIT_SECONDS, Math.max(1, reply.wait));
      view.state(t('Too many messages. Retrying in {seconds} s.', { seconds }));
      await new Promise((done) => setTimeout(done, seconds * 1000));
      reply = await ask();
    }
    return reply;
  }

  function failureText(status: number): string {
    if (status !== 401 && status !== 403) return UNREACHED;
    console.warn(
      'The chat server rejected ChatWidgetConfig.publicKey on this website: check the key and its allowed origins.',
    );
    return REFUSED;
  }

  async function end(): Promise<void> {
    const ended = session;
    session = undefined;
    view.endable(false);
    view.offer([]);
    view.say('assistant', ENDED);
    if (ended !== undefined) await server.end(ended);
  }
}
