// Articles linked to a ticket, and drafting one from it once it is closed.
import { Button, Link, Section, toast, useAllRows, useChange, useGo, useMay, type Data, t } from '@keelson/web';

type Ticket = Data<'GET /tickets.php?id={id}'>;

export default function TicketArticles({ ticket: { ticket_id, status } }: { ticket: Ticket }) {
  const may = useMay()('kb:write');
  const go = useGo();
  const { rows: articles } = useAllRows('GET /kb/articles.php', { ticket_id, visibility: 'all' });
  const draft = useChange('POST /kb/articles.php?action=from-ticket', {
    touches: ['/kb/'],
    done: ({ article_id }) => {
      toast(t('The draft stays internal until you change its visibility'));
      go(`/articles/${article_id}/edit`);
    },
  });
  const makes = may && status === 'closed';
  if (articles.length === 0 && !makes) return null;
  return (
    <Section title={t('Articles')}>
      <ul className="related">
        {articles.map((each) => (
          <li key={each.article_id}>
            <Link href={`/articles/${each.article_id}`}>{each.title}</Link>
          </li>
        ))}
      </ul>
      {makes && (
        <Button
          size="small"
          icon="book"
          disabled={draft.isPending}
          onClick={() => draft.mutate({ body: { ticket_id } })}
        >
          {t('Create article')}
        </Button>
      )}
    </Section>
  );
}
