// Chat button and window, in a shadow root.
import { bubble, button, make, readableOn } from './elements.ts';
import type { Options } from './options.ts';
import { style } from './style.ts';
import { t } from './words.ts';

const ACCENT = '#2563eb';
const MAX_MESSAGE = 4000;

export interface Handlers {
  open(): void;
  close(): void;
  send(text: string): void;
  end(): void;
}

export interface Bubble {
  /** Marks the message as unsent with a retry button; null removes the mark. */
  unsent(retry: (() => void) | null): void;
}

export interface ChatWindow {
  isOpen(): boolean;
  /** `focus` is true if the visitor opened it; a window that opens automatically must not take focus. */
  open(focus: boolean): void;
  close(): void;
  paint(color: string | undefined): void;
  brand(name: string, logo: string): void;
  say(by: 'assistant' | 'visitor', text: string): Bubble;
  offer(actions: readonly string[]): void;
  /** Status line; empty for none. */
  state(text: string): void;
  notice(text: string, outage: boolean): void;
  /** Shows or hides the button that ends the chat. */
  endable(yes: boolean): void;
}

export function chatWindow(options: Options, handlers: Handlers): ChatWindow {
  const host = make('div', { 'data-chat-widget': '' });
  if (options.left) host.classList.add('left');
  if (!options.showOnMobile) host.classList.add('no-mobile');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  root.adoptedStyleSheets = [sheet];

  const launcher = button(
    { class: 'launcher', 'aria-label': t('Open chat'), 'aria-expanded': 'false', 'aria-haspopup': 'dialog' },
    bubble(),
    () => (panel.hidden ? handlers.open() : handlers.close()),
  );
  const title = make('h2', { id: 'title' }, t('Chat'));
  const logo = make('img', { alt: '' });
  logo.hidden = true;
  logo.addEventListener('error', () => (logo.hidden = true));
  const end = button({}, t('End chat'), handlers.end);
  end.hidden = true;
  const header = make(
    'header',
    {},
    logo,
    title,
    end,
    button({ class: 'close', 'aria-label': t('Close chat') }, '×', handlers.close),
  );
  const notice = make('p', { class: 'notice', role: 'status' });
  notice.hidden = true;
  const log = make('div', { class: 'log', role: 'log', 'aria-label': t('Messages'), tabindex: '0' });
  const state = make('p', { class: 'state', role: 'status' });
  const field = make('textarea', {
    id: 'field',
    rows: '1',
    maxlength: String(MAX_MESSAGE),
    placeholder: t('Your message'),
  });
  const form = make(
    'form',
    {},
    make('label', { class: 'unseen', for: 'field' }, t('Your message')),
    field,
    make('button', { type: 'submit' }, t('Send')),
  );
  const panel = make(
    'section',
    { class: 'panel', role: 'dialog', 'aria-labelledby': 'title' },
    header,
    notice,
    log,
    state,
    form,
  );
  panel.hidden = true;
  root.append(launcher, panel);
  document.body.append(host);

  const submit = () => {
    const text = field.value.trim();
    if (!text) return;
    field.value = '';
    handlers.send(text);
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
  panel.addEventListener('keydown', (event) => {
    // Keys typed here must not trigger the page's shortcuts.
    event.stopPropagation();
    if (event.key === 'Escape') handlers.close();
    if (event.key === 'Tab' && fillsScreen()) keepInside(event, panel, root);
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.target !== field) return;
    event.preventDefault();
    submit();
  });

  let actions: HTMLElement | undefined;
  const add = <E extends HTMLElement>(element: E): E => {
    log.append(element);
    log.scrollTop = log.scrollHeight;
    return element;
  };
  const toggled = (open: boolean) => {
    panel.hidden = !open;
    host.classList.toggle('open', open);
    launcher.setAttribute('aria-expanded', String(open));
    launcher.setAttribute('aria-label', t(open ? 'Close chat' : 'Open chat'));
    panel.setAttribute('aria-modal', String(open && fillsScreen()));
  };
  const paint = (color: string | undefined) => {
    host.style.setProperty('--accent', color ?? ACCENT);
    host.style.setProperty('--on-accent', readableOn(getComputedStyle(launcher).backgroundColor));
  };
  paint(options.primaryColor);

  return {
    isOpen: () => !panel.hidden,
    open(focus) {
      toggled(true);
      log.scrollTop = log.scrollHeight;
      if (focus) field.focus();
    },
    close() {
      const inside = root.activeElement !== null;
      toggled(false);
      if (inside) launcher.focus();
    },
    paint,
    brand(name, picture) {
      if (name) title.textContent = name;
      if (!/^https?:\/\//i.test(picture)) return;
      logo.hidden = false;
      logo.src = picture;
    },
    say(by, text) {
      const who = make('span', { class: 'unseen' }, t(by === 'visitor' ? 'You: ' : 'Answer: '));
      const said = add(make('p', { class: `said ${by}` }, who, text));
      let again: HTMLElement | undefined;
      return {
        unsent(retry) {
          said.classList.toggle('unsent', retry !== null);
          again?.remove();
          again = retry === null ? undefined : button({ class: 'retry' }, t('Not sent. Try again'), retry);
          if (again) said.after(again);
          log.scrollTop = log.scrollHeight;
        },
      };
    },
    offer(texts) {
      // The focused suggestion is about to be removed.
      if (actions?.contains(root.activeElement)) field.focus();
      actions?.remove();
      actions = undefined;
      if (texts.length === 0) return;
      const choices = texts.map((text) => button({}, text, () => handlers.send(text)));
      actions = add(make('div', { class: 'actions', role: 'group', 'aria-label': t('Suggestions') }, ...choices));
    },
    state: (text) => void (state.textContent = text),
    notice(text, outage) {
      notice.hidden = text === '';
      notice.textContent = text;
      notice.classList.toggle('outage', outage);
    },
    endable(yes) {
      if (!yes && root.activeElement === end) field.focus();
      end.hidden = !yes;
    },
  };
}

function fillsScreen(): boolean {
  return matchMedia('(max-width: 639.98px)').matches;
}

/** Traps Tab within the window while it covers the page. */
function keepInside(event: KeyboardEvent, panel: HTMLElement, root: ShadowRoot): void {
  const all = [...panel.querySelectorAll<HTMLElement>('button, textarea, [tabindex]')];
  const stops = all.filter((each) => each.getClientRects().length > 0);
  const [first, last] = [stops[0], stops.at(-1)];
  const edge = event.shiftKey ? first : last;
  if (root.activeElement !== edge) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}
