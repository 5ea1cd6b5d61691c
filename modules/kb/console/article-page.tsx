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
  useLocation,
  useMay,
  type Data,
} from '@keelson/web';
import { visibilities } from './look.tsx';
import { Related } from './related.tsx';
import { Versions } from './versions.tsx';

const READ = 'GET /kb/articles.php?id={id}';
type Article = Data<typeof READ>;
const back = { to: '/articles', title: 'Back to knowledge base' };

export default function ArticlePage({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data: article, error, refetch } = useItem(READ, { id });
  const may = useMay()('kb:write');
  if (error || !article)
    return <RecordPending title="Article" back={back} error={error} retry={() => void refetch()} />;
  return (
    <RecordPage
      key={id}
      title={article.title}
      back={back}
      badge={
        <Badge tone={article.visibility === 'internal' ? 'muted' : 'ok'}>{visibilities[article.visibility]}</Badge>
      }
      acts={may && <Acts article={article} />}
      side={<About article={article} />}
    >
      <Tabs
        label="Article"
        tabs={[
          { id: 'text', title: 'Article', body: () => <Text article={article} may={may} /> },
          {
            id: 'versions',
            title: `Versions (${number(article.version)})`,
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
      <Section title="Article">
        <Facts>
          <Fact name="Category">{article.category}</Fact>
          <Fact name="Author">{article.author_name}</Fact>
          <Fact name="Tags">{article.tags.join(', ')}</Fact>
          <Fact name="Read">{number(article.views)} times</Fact>
          <Fact name="Helpful">{`${number(helpful_count)} yes, ${number(unhelpful_count)} no`}</Fact>
          <Fact name="Written">
            <Time at={article.created_at} />
          </Fact>
          <Fact name="Updated">
            <Time at={article.updated_at} />
          </Fact>
        </Facts>
      </Section>
      <Related of={article.related} />
    </>
  );
}

function Acts({ article: { article_id, title } }: { article: Article }) {
  const [, go] = useLocation();
  const remove = useChange('DELETE /kb/articles.php?id={id}', { touches: ['/kb/'], done: () => go(back.to) });
  const ask = async () => {
    const text = 'Its versions and files will be deleted too.';
    if (await confirm({ title: `Delete ${title}?`, text, act: 'Delete', danger: true }))
      remove.mutate({ id: article_id });
  };
  return (
    <>
      <LinkButton to={`/articles/${article_id}/edit`} icon="edit">
        Edit
      </LinkButton>
      <Button look="quiet" icon="trash" disabled={remove.isPending} onClick={() => void ask()}>
        Delete
      </Button>
    </>
  );
}
