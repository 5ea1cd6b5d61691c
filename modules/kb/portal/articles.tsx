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
  useAllRows,
  useMay,
  useSearchParams,
  t,
} from '@keelson/web';

export default function Articles() {
  const [params, setParams] = useSearchParams();
  const text = params.get('text') ?? '';
  const may = useMay();
  const { rows: found, loading, error, retry } = useAllRows('GET /kb/articles', text ? { about: text } : {});
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
      {error && <Failed error={error} retry={retry} />}
      {loading && <Bones rows={8} />}
      {!loading &&
        !error &&
        [...groups].map(([name, articles]) => (
          <Lines key={name} title={name}>
            {articles.map(({ article_id, title, excerpt }) => (
              <Line key={article_id} title={title} to={`/help/${article_id}`}>
                <p className="help-excerpt">{excerpt}</p>
              </Line>
            ))}
          </Lines>
        ))}
      {!loading && !error && found.length === 0 && (
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
