// Suggests articles as a person describes their request.
import { Icon, Link, useItem, t } from '@keelson/web';

interface Found {
  readonly article_id: number;
  readonly title: string;
  readonly excerpt: string;
}

const SHORTEST = 4;
const LONGEST = 500;

export default function AskPanel({ text }: { text: string }) {
  const about = text.slice(0, LONGEST);
  const { data } = useItem('GET /kb/articles', { about, limit: 3 }, { enabled: about.length >= SHORTEST });
  const found: readonly Found[] = data?.articles ?? [];
  if (about.length < SHORTEST || found.length === 0) return null;
  return (
    <section className="suggested" aria-label={t('Suggested articles')}>
      <h2>{t('Suggested articles')}</h2>
      <ul>
        {found.map(({ article_id, title, excerpt }) => (
          <li key={article_id}>
            <Icon name="book" />
            <div>
              <Link href={`/help/${article_id}`}>{title}</Link>
              <p>{excerpt}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
