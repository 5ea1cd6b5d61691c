// Article page of the portal, with files, related items and feedback.
import {
  addressWith,
  Button,
  hrefOf,
  Icon,
  Line,
  Lines,
  LinkButton,
  RecordPage,
  RecordPending,
  RichText,
  Time,
  useChange,
  useItem,
  useMay,
  rich,
  t,
} from '@keelson/web';
import { useState } from 'react';

const back = { to: '/help', title: t('Back to articles') };

interface Related {
  readonly entity_type: 'article' | 'ticket';
  readonly entity_id: number;
  readonly title: string;
}

export default function ArticlePage({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data: article, error, refetch } = useItem('GET /kb/articles/{id}', { id });
  if (!article) return <RecordPending title={t('Article')} back={back} error={error} retry={() => void refetch()} />;
  const related: readonly Related[] = article.related;
  return (
    <RecordPage title={article.title} back={back}>
      <div className="article">
        <p className="tone-muted">
          {article.category && `${article.category} · `}
          {rich('Last changed {updated_at}', { updated_at: <Time at={article.updated_at} form="date" /> })}
        </p>
        <RichText html={article.content_html} />
        <ArticleFiles id={id} />
      </div>
      <Helpful id={id} title={article.title} />
      {related.length > 0 && (
        <Lines title={t('Related')}>
          {related.map(({ entity_type, entity_id, title }) => (
            <Line
              key={`${entity_type}${entity_id}`}
              title={title}
              to={entity_type === 'article' ? `/help/${entity_id}` : addressWith('/tickets/:quoted', entity_id)}
            />
          ))}
        </Lines>
      )}
    </RecordPage>
  );
}

function ArticleFiles({ id }: { id: number }) {
  const { data } = useItem('GET /kb/articles/{id}/attachments', { id });
  const files: readonly { attachment_id: number; filename: string }[] = data?.attachments ?? [];
  if (files.length === 0) return null;
  return (
    <ul className="article-files" aria-label={t('Files')}>
      {files.map(({ attachment_id, filename }) => (
        <li key={attachment_id}>
          <a
            href={hrefOf('GET /kb/articles/{id}/attachments/{attachment_id}', { id, attachment_id })}
            download={filename}
          >
            <Icon name="paperclip" size={14} /> {filename}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Helpful({ id, title }: { id: number; title: string }) {
  const [said, setSaid] = useState<boolean>();
  const may = useMay();
  const say = useChange('POST /kb/articles/{id}/feedback', { done: (_, { body }) => setSaid(body.helpful) });
  const answer = (helpful: boolean) => say.mutate({ id, body: { helpful } });
  return (
    <div className="helpful" role="status">
      {said === undefined && (
        <>
          <b>{t('Was this helpful?')}</b>
          <Button icon="thumbs-up" onClick={() => answer(true)} disabled={say.isPending}>
            {t('Yes')}
          </Button>
          <Button icon="thumbs-down" onClick={() => answer(false)} disabled={say.isPending}>
            {t('No')}
          </Button>
        </>
      )}
      {said === true && <b>{t('Thank you.')}</b>}
      {said === false && (
        <>
          <b>{t('Thanks for your feedback.')}</b>
          {may('can_create_tickets') && (
            <LinkButton to={`/tickets/new?${new URLSearchParams({ text: title }).toString()}`}>
              {t('Ask us')}
            </LinkButton>
          )}
        </>
      )}
    </div>
  );
}
