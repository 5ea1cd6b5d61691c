// Navigation of the portal: the first pages in the bar, the rest in a menu; on phones, all in the menu.
import { Link, useLocation } from 'wouter';
import { Icon } from '../kit/components/icon.tsx';
import { Menu } from '../kit/components/menu.tsx';
import { useNarrow } from '../kit/media.ts';
import { byOrder, openPage } from '../kit/shell/pages-order.ts';
import { useSession, type PageEntry } from '../kit/shell/session.tsx';
import { t } from '../kit/shell/words.ts';

const IN_BAR = 6;

export function Bar() {
  const { pages } = useSession();
  const [path, go] = useLocation();
  const { narrow } = useNarrow();
  const all = pages.filter((each) => each.nav).toSorted(byOrder);
  // Avoid a menu with a single page.
  const first = narrow ? 0 : all.length <= IN_BAR + 1 ? all.length : IN_BAR;
  const rest = all.slice(first);
  const at = openPage(all, path);
  const here = (page: PageEntry) => page === at;
  const choices = rest.map((each) => ({
    value: each.path,
    label: each.title,
    ...(each.nav && { icon: each.nav.icon }),
  }));
  return (
    <nav aria-label={t('Pages')}>
      {all.slice(0, first).map((each) => (
        <Link key={each.path} href={each.path} aria-current={here(each) ? 'page' : undefined}>
          {each.title}
        </Link>
      ))}
      {rest.length > 0 && (
        <Menu label={t('Pages')} className="portal-more" choices={choices} onChoose={go}>
          {narrow && <Icon name="menu" />}
          <span data-here={rest.some(here) || undefined}>
            {rest.find(here)?.title ?? (narrow ? t('Menu') : t('More'))}
          </span>
          <Icon name="chevron-down" size={14} />
        </Menu>
      )}
    </nav>
  );
}
