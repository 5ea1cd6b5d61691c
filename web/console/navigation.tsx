import { Fragment, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Icon, isIcon } from '../kit/components/icon.tsx';
import { Menu } from '../kit/components/menu.tsx';
import { Avatar, IconButton } from '../kit/components/parts.tsx';
import { toastError } from '../kit/components/toast.tsx';
import { number } from '../kit/format.ts';
import { useAnswer } from '../kit/request/client.ts';
import { useLive } from '../kit/request/live.ts';
import { send } from '../kit/request/send.ts';
import { keyName } from '../kit/shell/keys.tsx';
import { byOrder, openPage } from '../kit/shell/pages-order.ts';
import { openPalette } from '../kit/shell/palette.tsx';
import { preload } from '../kit/shell/piece.tsx';
import { changePreferences, usePreferences } from '../kit/shell/preferences.ts';
import { forgetRecent } from '../kit/shell/recent.ts';
import { useSession, type Nav, type PageEntry } from '../kit/shell/session.tsx';
import { t } from '../kit/shell/words.ts';
import { Mark } from './mark.tsx';
import { Pins } from './pins.tsx';

const sections = {
  work: '',
  customers: t('Customers'),
  infrastructure: t('Infrastructure'),
  sales: t('Sales'),
  money: t('Money'),
  knowledge: t('Knowledge and reports'),
  administration: t('Administration'),
} as const;

/** Returns the open page of the navigation. */
function useOpenPage(): PageEntry | undefined {
  const { pages } = useSession();
  const [path] = useLocation();
  return openPage(
    pages.filter((each) => each.nav),
    path,
  );
}

export function Navigation({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { pages, tenant } = useSession();
  return (
    <nav aria-label={t('Pages')} data-open={open || undefined}>
      <Link href="/" className="brand">
        <Mark />
        <span>{tenant.name}</span>
      </Link>
      <button type="button" className="find" onClick={openPalette} aria-keyshortcuts="Control+K">
        <Icon name="search" />
        <span>{t('Search')}</span>
        <kbd>{keyName('Mod+K')}</kbd>
      </button>
      <div className="places">
        {Object.entries(sections).map(([section, title]) => (
          <Fragment key={section}>
            <Places
              section={section}
              title={title}
              pages={pages.filter(({ nav }) => nav?.section === section).toSorted(byOrder)}
            />
            {section === 'work' && <Pins />}
          </Fragment>
        ))}
      </div>
      <PersonBar />
      {open && <IconButton icon="x" label={t('Close navigation')} onClick={onClose} />}
    </nav>
  );
}

/** localStorage key for collapsed navigation sections. */
const CLOSED = 'keelson.closed-sections';
const closedSections = (): readonly string[] => (localStorage.getItem(CLOSED) ?? '').split(',').filter(Boolean);

function Places({ section, title, pages }: { section: string; title: string; pages: readonly PageEntry[] }) {
  const at = useOpenPage();
  const [closed, setClosed] = useState(() => closedSections().includes(section));
  if (pages.length === 0) return null;
  const toggle = () => {
    const others = closedSections().filter((each) => each !== section);
    localStorage.setItem(CLOSED, [...others, ...(closed ? [] : [section])].join());
    setClosed(!closed);
  };
  const shut = closed && title !== '';
  return (
    <section>
      {title && (
        <h2>
          <button type="button" aria-expanded={!closed} onClick={toggle}>
            {title}
            <Icon name={closed ? 'chevron-right' : 'chevron-down'} size={14} />
          </button>
        </h2>
      )}
      <ul hidden={shut}>
        {pages.map((page) => (
          <li key={page.path}>
            <Link href={page.path} aria-current={page === at ? 'page' : undefined} onPointerEnter={() => preload(page)}>
              {page.nav && <Icon name={isIcon(page.nav.icon) ? page.nav.icon : 'file'} />}
              {page.title}
              {page.nav?.count && <Count {...page.nav.count} />}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Badge with the number of pending items on a page. */
function Count({ operation, member, type }: NonNullable<Nav['count']>) {
  useLive(type, operation.split(/[ ?]/)[1] ?? operation);
  const { data } = useAnswer(operation);
  const count = Number((data as Record<string, unknown> | undefined)?.[member] ?? 0);
  return count > 0 && <small className="nav-count">{number(count)}</small>;
}

const themes = [
  { value: 'system', label: t('System'), icon: 'settings' },
  { value: 'light', label: t('Light'), icon: 'sun' },
  { value: 'dark', label: t('Dark'), icon: 'moon' },
] as const;

/** Labels of the two roles. */
const roleOf = (role: string) => (role === 'administrator' ? t('Administrator') : t('Technician'));

function PersonBar() {
  const { person, pages } = useSession();
  const [, go] = useLocation();
  const { theme } = usePreferences();
  const choices = [
    ...(pages.some((each) => each.path === '/me')
      ? [{ value: 'me', label: t('My account'), icon: 'user' } as const]
      : []),
    { value: 'docs', label: t('API reference'), icon: 'book' } as const,
    { value: 'out', label: t('Sign out'), icon: 'log-out' } as const,
  ];
  const onChoose = (act: string) => {
    if (act === 'me') go('/me');
    else if (act === 'docs') location.assign('/docs');
    else {
      forgetRecent(person.id);
      const request = { method: 'POST', headers: new Headers() };
      send('/admin/logout', request).then(() => location.assign('/admin/login'), toastError);
    }
  };
  return (
    <div className="person">
      <Menu label={t('Account')} className="who" choices={choices} onChoose={onChoose}>
        <Avatar name={person.name} />
        <span>
          <b>{person.name}</b>
          <small>{roleOf(person.role)}</small>
        </span>
      </Menu>
      <Menu
        label={t('Appearance')}
        className="icon-button"
        choices={themes}
        value={theme}
        onChoose={(next) => changePreferences({ theme: next })}
      >
        <Icon name={theme === 'dark' ? 'moon' : 'sun'} />
      </Menu>
    </div>
  );
}

/** Mobile navigation bar: the first pages, search, and a button for the rest. */
export function BottomBar({ onMore }: { onMore: () => void }) {
  const { pages } = useSession();
  const at = useOpenPage();
  const first = pages
    .filter((each) => each.nav?.section === 'work')
    .toSorted(byOrder)
    .slice(0, 3);
  return (
    <nav className="bottom-bar" aria-label={t('Main pages')}>
      {first.map((page) => (
        <Link key={page.path} href={page.path} aria-current={page === at ? 'page' : undefined}>
          {page.nav && <Icon name={isIcon(page.nav.icon) ? page.nav.icon : 'file'} size={20} />}
          {page.title}
        </Link>
      ))}
      <button type="button" onClick={openPalette}>
        <Icon name="search" size={20} />
        {t('Search')}
      </button>
      <button type="button" onClick={onMore}>
        <Icon name="menu" size={20} />
        {t('More')}
      </button>
    </nav>
  );
}
