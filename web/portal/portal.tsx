import { useEffect } from 'react';
import { ask } from '../kit/client.ts';
import { Confirms } from '../kit/confirm.tsx';
import { startLive } from '../kit/live.ts';
import { Menu } from '../kit/menu.tsx';
import { NetworkBar } from '../kit/network-bar.tsx';
import { PageRoutes, useFocusOnMain } from '../kit/pages-routes.tsx';
import { Avatar } from '../kit/parts.tsx';
import { Slot } from '../kit/piece.tsx';
import { useSession } from '../kit/session.tsx';
import { changePreferences, usePreferences } from '../kit/preferences.ts';
import { Toasts } from '../kit/toast.tsx';
import { useLocation } from 'wouter';
import { Bar } from './bar.tsx';
import { Brand } from './brand.tsx';

export function Portal() {
  const { records } = useSession();
  const main = useFocusOnMain();
  useEffect(() => startLive(records), [records]);
  return (
    <div className="portal">
      <a href="#main" className="skip">
        Skip to main content
      </a>
      <header>
        <div className="portal-bar">
          <Brand />
          <Bar />
          <PersonMenu />
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <NetworkBar />
        <PageRoutes />
      </main>
      <Slot name="portal.everywhere" />
      <Confirms />
      <Toasts />
    </div>
  );
}

function PersonMenu() {
  const { person, pages } = useSession();
  const [, go] = useLocation();
  const { theme } = usePreferences();
  const dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  const choices = [
    ...(pages.some((each) => each.path === '/me') ? [{ value: 'me', label: 'My account', icon: 'user' } as const] : []),
    { value: 'theme', label: dark ? 'Light' : 'Dark', icon: dark ? 'sun' : 'moon' } as const,
    { value: 'out', label: 'Sign out', icon: 'log-out' } as const,
  ];
  const onChoose = (act: string) => {
    if (act === 'me') go('/me');
    else if (act === 'theme') changePreferences({ theme: dark ? 'light' : 'dark' });
    else void ask('POST /auth/logout', { body: {} }).then(() => location.assign('/helpdesk/sign-in'));
  };
  return (
    <Menu label="Account" className="who" choices={choices} onChoose={onChoose}>
      <Avatar name={person.name} />
      <span className="hidden">{person.name}</span>
    </Menu>
  );
}
