// What happens: the window opens, a session begins, messages go to and fro. Nothing is asked of the server before that.
import { memory } from './memory.ts';
import { isColor, readOptions, type Options } from './options.ts';
import { serverAt, type Exchange, type Failed, type Reply, type Server } from './server.ts';
import { chatWindow, type Bubble, type ChatWindow } from './window.ts';

const GREETING = 'Hi! How can we help?';
const UNREACHED = 'We cannot be reached at the moment. Please try again later.';
const REFUSED = 'The chat is not available on this page.';
const STATUS_FRESH = 60_000;
const TRIES = 4;
const LONGEST_WAIT = 60;

const script = document.currentScript ?? document.querySelector('script[src*="/widget/chat.js"]');
if (script instanceof HTMLScriptElement && script.src) whenReady(() => start(new URL(script.src).origin));

function whenReady(then: () => void): void {
  if (document.body) then();
  else document.addEventListener('DOMContentLoaded', then, { once: true });
}

function start(origin: string): void {
  // Included twice, it is there once.
  if (document.querySelector('[data-chat-widget]')) return;
  const options = readOptions((globalThis as { ChatWidgetConfig?: unknown }).ChatWidgetConfig);
  if (options) chat(options, serverAt(origin, options.publicKey));
}

function chat(options: Options, server: Server): void {
  let session: string | undefined;
  let greeted = false;
  let statusAt = -Infinity;
  /** Messages go one after the other, in the order they were written. */
  let turn: Promise<unknown> = Promise.resolve();

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
    const known = memory.color();
    if (isColor(known)) view.paint(known);
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
    if (!greeted) turn = turn.then(begin);
  }

  async function showStatus(): Promise<void> {
    if (performance.now() - statusAt < STATUS_FRESH) return;
    const reply = await server.status();
    if (!reply.ok) return;
    statusAt = performance.now();
    const { status, message } = reply.body;
    view.notice(status === 'operating_normally' ? '' : message, status === 'outage');
  }

  /** Begins a session, unless there is one, and greets once. Answers what went wrong. */
  async function begin(): Promise<Failed | undefined> {
    if (session !== undefined) return undefined;
    view.state('Connecting…');
    const reply = await patiently(() => server.init(memory.visitor()));
    view.state(reply.ok ? '' : trouble(reply.status));
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
    if (!greeted) view.say('assistant', options.greeting ?? (greeting || GREETING));
    greeted = true;
    return undefined;
  }

  function send(text: string): void {
    view.offer([]);
    const said = view.say('visitor', text);
    turn = turn.then(() => deliver(text, said));
  }

  async function deliver(text: string, said: Bubble): Promise<void> {
    said.unsent(null);
    const reply = await exchange(text);
    if (reply.ok) {
      const { message, suggested_actions } = reply.body.response;
      view.state('');
      view.say('assistant', message);
      return view.offer(suggested_actions);
    }
    view.state(trouble(reply.status));
    said.unsent(() => {
      turn = turn.then(() => deliver(text, said));
    });
  }

  /** A session that ended meanwhile is followed by a new one, without a word. */
  async function exchange(text: string, renewed = false): Promise<Reply<Exchange>> {
    const failed = await begin();
    if (failed) return failed;
    view.state('…');
    const reply = await patiently(() => server.message(session ?? '', text));
    const over = !reply.ok && (reply.status === 400 || reply.status === 404);
    if (!over || renewed) return reply;
    session = undefined;
    return exchange(text, true);
  }

  /** Asks again as soon as the server allows it, when it was too much at once. */
  async function patiently<Body>(ask: () => Promise<Reply<Body>>): Promise<Reply<Body>> {
    let reply = await ask();
    for (let i = 1; i < TRIES && !reply.ok && reply.status === 429; i++) {
      const seconds = Math.min(LONGEST_WAIT, Math.max(1, reply.wait));
      view.state(`That was a lot at once. Going on in ${seconds} s.`);
      await new Promise((done) => setTimeout(done, seconds * 1000));
      reply = await ask();
    }
    return reply;
  }

  function trouble(status: number): string {
    if (status !== 401 && status !== 403) return UNREACHED;
    console.warn(
      'The chat server refuses ChatWidgetConfig.publicKey on this website: is the key right, and the site allowed?',
    );
    return REFUSED;
  }

  async function end(): Promise<void> {
    const ended = session;
    session = undefined;
    view.endable(false);
    view.offer([]);
    view.say('assistant', 'The chat has ended. Write again whenever you like.');
    if (ended !== undefined) await server.end(ended);
  }
}
