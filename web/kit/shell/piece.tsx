// Lazy loading of pages and panels. `React.lazy` would throttle subsequent content by 300 ms.
import { Component, useCallback, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { Bones, Note } from '../components/parts.tsx';
import { useSession, type PieceOf } from './session.tsx';
import { loadWords, t } from './words.ts';

type Loaded = ComponentType<Record<string, unknown>>;
const loaded = new Map<string, Loaded>();
const styled = new Set<string>();
/** sessionStorage key for modules that triggered a reload in this tab. */
const RELOADED = 'keelson.reloaded';
const MOST_RELOADED = 50;

async function load({ plugin, module, style }: PieceOf): Promise<Loaded> {
  await loadWords(plugin);
  if (style && !styled.has(style)) {
    styled.add(style);
    await addStyle(style);
  }
  const { default: piece } = (await import(/* @vite-ignore */ module)) as { default: Loaded };
  loaded.set(module, piece);
  return piece;
}

function addStyle(href: string): Promise<void> {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  // Ignore a missing style sheet: the page still works without it.
  const done = new Promise<void>((resolve) => {
    link.onload = link.onerror = () => resolve();
  });
  document.head.append(link);
  return done;
}

/**
 * Reloads the page when the server no longer has a module, which happens after an upgrade. Reloads only once per module,
 * because one that stays missing would cause a reload loop.
 */
async function reloadOnce(module: string): Promise<boolean> {
  const before = (sessionStorage.getItem(RELOADED) ?? '').split(' ');
  if (before.includes(module) || !(await isGone(module))) return false;
  sessionStorage.setItem(RELOADED, [...before, module].slice(-MOST_RELOADED).join(' '));
  location.reload();
  return true;
}

/** A module may also fail because it is broken, offline, or, in Firefox, because the person is leaving the page. */
async function isGone(module: string): Promise<boolean> {
  const answer = await fetch(module, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
  return answer?.status === 404;
}

export interface PieceProps {
  readonly of: PieceOf;
  readonly title: string;
  readonly given?: Readonly<Record<string, unknown>>;
  readonly waiting?: ReactNode;
}

/** Renders a plugin module inside an error boundary. */
export function Piece({ of, title, given = {}, waiting = <Bones /> }: PieceProps) {
  const { module } = of;
  const { error, retry } = useModule(of);
  const Shown = loaded.get(module);
  if (!Shown) return error ? <Broken title={title} error={error} onRetry={retry} /> : waiting;
  return (
    <Guard title={title} key={module}>
      <div className="piece" data-plugin={of.plugin}>
        <Shown {...given} />
      </div>
    </Guard>
  );
}

/** Loads a module on first use, and again once the network returns. */
function useModule(of: PieceOf): { error: Error | undefined; retry: () => void } {
  const { module } = of;
  const [state, setState] = useState<{ module: string; error?: Error | undefined }>({ module: '' });
  const [attempt, setAttempt] = useState(0);
  const error = state.module === module ? state.error : undefined;
  useEffect(() => {
    if (loaded.has(module)) return;
    let gone = false;
    load(of).then(
      () => gone || setState({ module }),
      async (failure: Error) => gone || (await reloadOnce(module)) || gone || setState({ module, error: failure }),
    );
    return () => {
      gone = true;
    };
  }, [of, module, attempt]);
  const retry = useCallback(() => {
    setState({ module: '' });
    setAttempt((before) => before + 1);
  }, []);
  useEffect(() => {
    if (!error) return;
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [error, retry]);
  return { error, retry };
}

/** Preloads a module. Errors are reported when the module is rendered. */
export const preload = (of: PieceOf): void => void (loaded.has(of.module) || load(of).catch(() => undefined));

class Guard extends Component<{ title: string; children: ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return <Broken title={this.props.title} error={error} onRetry={() => this.setState({ error: undefined })} />;
  }
}

function Broken({ title, error, onRetry }: { title: string; error: Error; onRetry?: () => void }) {
  return (
    <Note
      tone="danger"
      title={t('{title} could not be shown', { title })}
      act={onRetry && { title: t('Try again'), run: onRetry }}
    >
      {error.message}
    </Note>
  );
}

/** Renders the plugin panels of a slot: `<Slot name="ticket.side" ticket={ticket} />`. */
export function Slot({ name, ...given }: { name: string } & Record<string, unknown>) {
  const { panels } = useSession();
  return panels
    .filter((each) => each.slot === name)
    .toSorted((a, b) => a.order - b.order)
    .map((each) => <Piece key={each.module} of={each} title={each.title} given={given} />);
}
