// Knowledge base of the portal.
import {
  Empty,
  Failed,
  Bones,
  Line,
  Lines,
  LinkButton,
  SearchField,
  Sheet,
  useItem,
  useMay,
  useSearchParams,
  t,
} from '@keelson/web';

interface Article {
  readonly article_id: number;
  readonly title: string;
  readonly excerpt: string;
  readonly category: string | null;
}

const SHOWN = 100;

export default function Articles() {
  const [params, setParams] = useSearchParams();
  const text = params.get('text') ?? '';
  const may = useMay();
  const { data, error, refetch } = useItem('GET /kb/articles', { limit: SHOWN, ...(text && { about: text }) });
  const found: readonly Article[] = data?.articles ?? [];
  const groups = Map.groupBy(found, ({ category }) => (text ? t('Found') : (category ?? t('Other'))));
  return (
    <Sheet title={t('Help')}>
      <div className="help-search">
        <SearchField
          label={t('Search for help')}
          value={text}
          onSearch={(next) => setParams(next ? { text: next } : {}, { replace: true })}
        />
      </div>
      {error && <Failed error={error} retry={() => void refetch()} />}
      {!data && !error && <Bones rows={8} />}
      {[...groups].map(([name, articles]) => (
        <Lines key={name} title={name}>
          {articles.map(({ article_id, title, excerpt }) => (
            <Line key={article_id} title={title} to={`/help/${article_id}`}>
              <p className="help-excerpt">{excerpt}</p>
            </Line>
          ))}
        </Lines>
      ))}
      {data && found.length === 0 && (
        <Empty icon="book" title={text ? t('No articles match your search.') : t('No articles yet.')}>
          {may('can_create_tickets') && (
            <LinkButton to={`/tickets/new${text ? `?${new URLSearchParams({ text }).toString()}` : ''}`} look="primary">
              {t('Ask us')}
            </LinkButton>
          )}
        </Empty>
      )}
    </Sheet>
  );
}
