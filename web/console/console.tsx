import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { Confirms } from '../kit/components/confirm.tsx';
import { Toasts } from '../kit/components/toast.tsx';
import { startLive } from '../kit/request/live.ts';
import { NetworkBar } from '../kit/request/network-bar.tsx';
import { KeyHelp } from '../kit/shell/key-help.tsx';
import { useKeys } from '../kit/shell/keys.tsx';
import { PageRoutes, useFocusOnMain } from '../kit/shell/pages-routes.tsx';
import { Palette } from '../kit/shell/palette.tsx';
import { Proofs } from '../kit/shell/prove-dialog.tsx';
import { useSession } from '../kit/shell/session.tsx';
import { t } from '../kit/shell/words.ts';
import { useKeptPreferences } from './kept-preferences.ts';
import { BottomBar, Navigation } from './navigation.tsx';

export function Console() {
  const { pages, live, person } = useSession();
  const [open, setOpen] = useState(false);
  const [path, go] = useLocation();
  const main = useFocusOnMain();
  useEffect(() => startLive(live, person.id), [live, person.id]);
  useKeptPreferences();
  useEffect(() => setOpen(false), [path]);
  useKeys(
    pages.flatMap(({ nav, path: to, title }) =>
      nav?.key ? [{ keys: nav.key, title: t('Go to {title}', { title: title.toLowerCase() }), run: () => go(to) }] : [],
    ),
  );
  return (
    <div className="console">
      <a href="#main" className="skip">
        {t('Skip to main content')}
      </a>
      <Navigation open={open} onClose={() => setOpen(false)} />
      <main id="main" ref={main} tabIndex={-1}>
        <NetworkBar />
        <PageRoutes />
      </main>
      <BottomBar onMore={() => setOpen(true)} />
      <Palette />
      <KeyHelp />
      <Confirms />
      <Proofs />
      <Toasts />
    </div>
  );
}
