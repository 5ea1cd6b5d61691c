// Pages and panels are loaded when they are shown. `React.lazy` would hold what follows it back for 300 ms.
import { Component, useCallback, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { Bones, Note } from './parts.tsx';
import { useSession, type PieceOf } from './session.tsx';

type Loaded = ComponentType<Record<string, unknown>>;
const loaded = new Map<string, Loaded>();
const styled = new Set<string>();
/** Files for which this tab was loaded anew. */
const RELOADED = 'keelson.reloaded';
const MOST_RELOADED = 50;

async function load({ module, style }: PieceOf): Promise<Loaded> {
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
  // Without its style a page is plain, but it works.
  const done = new Promise<void>((resolve) => {
    link.onload = link.onerror = () => resolve();
  });
  document.head.append(link);
  return done;
}

/**
 * After an upgrade the files of before are gone: the page is loaded anew, once for each file, because one that stays away
 * would have it load for ever. Without a network there would be no page to load.
 */
function reloadOnce(module: string, error: Error): boolean {
  const before = (sessionStorage.getItem(RELOADED) ?? '').split(' ');
  // What browsers say of a file that they cannot get; anything else was thrown by the file itself.
  if (!(error instanceof TypeError) || !navigator.onLine || before.includes(module)) return false;
  sessionStorage.setItem(RELOADED, [...before, module].slice(-MOST_RELOADED).join(' '));
  location.reload();
  return true;
}

export interface PieceProps {
  readonly of: PieceOf;
  readonly title: string;
  readonly given?: Readonly<Record<string, unknown>>;
  readonly waiting?: ReactNode;
}

/** Shows a module of a plugin. What it throws stays within its own area. */
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

/** Loads a module when it is shown for the first time, and again when the network has returned. */
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
      (failure: Error) => gone || reloadOnce(module, failure) || setState({ module, error: failure }),
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

/** Loads a module ahead of its use. When that fails, it is said once the module is shown. */
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
    <Note tone="danger" title={`${title} could not be shown`} act={onRetry && { title: 'Try again', run: onRetry }}>
      {error.message}
    </Note>
  );
}

/** Where panels of other plugins are shown: `<Slot name="ticket.side" ticket={ticket} />`. */
export function Slot({ name, ...given }: { name: string } & Record<string, unknown>) {
  const { panels } = useSession();
  return panels
    .filter((each) => each.slot === name)
    .toSorted((a, b) => a.order - b.order)
    .map((each) => <Piece key={each.module} of={each} title={each.title} given={given} />);
}
