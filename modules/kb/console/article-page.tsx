// Article page as readers see it, with its version history, differences and restore.
import {
  Badge,
  Button,
  Card,
  confirm,
  Fact,
  Facts,
  Files,
  LinkButton,
  number,
  RecordPage,
  RecordPending,
  RichText,
  Section,
  Tabs,
  Time,
  useChange,
  useItem,
  useGo,
  useMay,
  type Data,
  t,
} from '@keelson/web';
import { visibilities } from './look.tsx';
import { Related } from './related.tsx';
import { Versions } from './versions.tsx';

const READ = 'GET /kb/articles.php?id={id}';
type Article = Data<typeof READ>;
const back = { to: '/articles', title: t('Back to knowledge base') };

export default function ArticlePage({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data: article, error, refetch } = useItem(READ, { id });
  const may = useMay()('kb:write');
  if (error || !article)
    return <RecordPending title={t('Article')} back={back} error={error} retry={() => void refetch()} />;
  return (
    <RecordPage
      title={article.title}
      back={back}
      badge={
        <Badge tone={article.visibility === 'internal' ? 'muted' : 'ok'}>{visibilities[article.visibility]}</Badge>
      }
      acts={may && <Acts article={article} />}
      side={<About article={article} />}
    >
      <Tabs
        label={t('Article')}
        tabs={[
          { id: 'text', title: t('Article'), body: () => <Text article={article} may={may} /> },
          {
            id: 'versions',
            title: t('Versions ({version})', { version: number(article.version) }),
            body: () => <Versions article_id={id} now={article.version} may={may} />,
          },
        ]}
      />
    </RecordPage>
  );
}

function Text({ article, may }: { article: Article; may: boolean }) {
  return (
    <>
      <Card>
        <div className="article">
          <RichText html={article.content_html} />
        </div>
      </Card>
      <Files path="/kb/articles.php" id={article.article_id} may={may} />
    </>
  );
}

function About({ article }: { article: Article }) {
  const { helpful_count, unhelpful_count } = article;
  return (
    <>
      <Section title={t('Article')}>
        <Facts>
          <Fact name={t('Category')}>{article.category}</Fact>
          <Fact name={t('Author')}>{article.author_name}</Fact>
          <Fact name={t('Tags')}>{article.tags.join(', ')}</Fact>
          <Fact name={t('Read')}>{t('{views} times', { views: number(article.views) })}</Fact>
          <Fact name={t('Helpful')}>
            {t('{helpful_count} yes, {unhelpful_count} no', {
              helpful_count: number(helpful_count),
              unhelpful_count: number(unhelpful_count),
            })}
          </Fact>
          <Fact name={t('Written')}>
            <Time at={article.created_at} />
          </Fact>
          <Fact name={t('Updated')}>
            <Time at={article.updated_at} />
          </Fact>
        </Facts>
      </Section>
      <Related of={article.related} />
    </>
  );
}

function Acts({ article: { article_id, title } }: { article: Article }) {
  const go = useGo();
  const remove = useChange('DELETE /kb/articles.php?id={id}', { touches: ['/kb/'], done: () => go(back.to) });
  const ask = async () => {
    const text = t('Its versions and files will be deleted too.');
    if (await confirm({ title: t('Delete {title}?', { title }), text, act: t('Delete'), danger: true }))
      remove.mutate({ id: article_id });
  };
  return (
    <>
      <LinkButton to={`/articles/${article_id}/edit`} icon="edit">
        {t('Edit')}
      </LinkButton>
      <Button look="quiet" icon="trash" disabled={remove.isPending} onClick={() => void ask()}>
        {t('Delete')}
      </Button>
    </>
  );
}
