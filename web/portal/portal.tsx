import { isLanguage, languages } from '@keelson/words';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { Confirms } from '../kit/components/confirm.tsx';
import { Menu } from '../kit/components/menu.tsx';
import { Avatar } from '../kit/components/parts.tsx';
import { toastError, Toasts } from '../kit/components/toast.tsx';
import { ask } from '../kit/request/client.ts';
import { startLive } from '../kit/request/live.ts';
import { NetworkBar } from '../kit/request/network-bar.tsx';
import { PageRoutes, useFocusOnMain } from '../kit/shell/pages-routes.tsx';
import { Slot } from '../kit/shell/piece.tsx';
import { changePreferences, usePreferences } from '../kit/shell/preferences.ts';
import { useSession } from '../kit/shell/session.tsx';
import { language, speak, t } from '../kit/shell/words.ts';
import { Bar } from './bar.tsx';
import { Brand } from './brand.tsx';

export function Portal() {
  const { live, person } = useSession();
  const main = useFocusOnMain();
  useEffect(() => startLive(live, person.id), [live, person.id]);
  return (
    <div className="portal">
      <a href="#main" className="skip">
        {t('Skip to main content')}
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

const others = Object.entries(languages).filter(([each]) => each !== language);

function PersonMenu() {
  const { person, pages } = useSession();
  const [, go] = useLocation();
  const { theme } = usePreferences();
  const dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  const choices = [
    ...(pages.some((each) => each.path === '/me')
      ? [{ value: 'me', label: t('My account'), icon: 'user' } as const]
      : []),
    { value: 'theme', label: dark ? t('Light') : t('Dark'), icon: dark ? 'sun' : 'moon' } as const,
    ...others.map(([value, label]) => ({ value, label, icon: 'globe' }) as const),
    { value: 'out', label: t('Sign out'), icon: 'log-out' } as const,
  ];
  const onChoose = (act: string) => {
    if (isLanguage(act))
      return void ask('PUT /auth/language', { body: { language: act } }).then(() => speak(act), toastError);
    if (act === 'me') go('/me');
    else if (act === 'theme') changePreferences({ theme: dark ? 'light' : 'dark' });
    else void ask('POST /auth/logout', { body: {} }).then(() => location.assign('/helpdesk/sign-in'), toastError);
  };
  return (
    <Menu label={t('Account')} className="who" choices={choices} onChoose={onChoose}>
      <Avatar name={person.name} />
      <span className="hidden">{person.name}</span>
    </Menu>
  );
}
