// Favourites pinned by a person, on every device, and the records most recently opened in this browser.
import { Link, useLocation, useSearch } from 'wouter';
import { Icon, isIcon } from '../kit/components/icon.tsx';
import { openPage } from '../kit/shell/pages-order.ts';
import { changePreferences, usePreferences } from '../kit/shell/preferences.ts';
import { useRecent, type Visited } from '../kit/shell/recent.ts';
import { useSession } from '../kit/shell/session.tsx';
import { t } from '../kit/shell/words.ts';

/** The ticket open beside a list is not part of a pin. */
const SHOWN = ['split', 'at'];
const MOST_RECENT = 5;
const LONGEST = 120;

function useHere(): string {
  const [path] = useLocation();
  const params = new URLSearchParams(useSearch());
  for (const each of SHOWN) params.delete(each);
  return params.size > 0 ? `${path}?${params.toString()}` : path;
}

export function Pins() {
  const { pins } = usePreferences();
  const here = useHere();
  const recent = useRecent().filter(({ path }) => path !== here && !pins.some((each) => each.path === path));
  const pinned = pins.some(({ path }) => path === here);
  const pin = () => {
    const others = pins.filter(({ path }) => path !== here);
    const added = { path: here, title: document.title.slice(0, LONGEST) };
    changePreferences({ pins: pinned ? others : [...others, added] });
  };
  return (
    <>
      <Places title={t('Favourites')} of={pins} here={here} />
      <button type="button" className="pin" aria-pressed={pinned} onClick={pin}>
        <Icon name="star" />
        {pinned ? t('Unpin this page') : t('Pin this page')}
      </button>
      <Places title={t('Recent')} of={recent.slice(0, MOST_RECENT)} here={here} />
    </>
  );
}

function Places({ title, of, here }: { title: string; of: readonly Visited[]; here: string }) {
  const { pages } = useSession();
  const known = pages.filter((each) => each.nav);
  const iconOf = (path: string) => openPage(known, path.split('?')[0] ?? '')?.nav?.icon ?? '';
  if (of.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {of.map((each) => (
          <li key={each.path}>
            <Link href={each.path} aria-current={each.path === here ? 'page' : undefined} title={each.title}>
              <Icon name={isIcon(iconOf(each.path)) ? (iconOf(each.path) as never) : 'file'} />
              <span className="pin-title">{each.title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
