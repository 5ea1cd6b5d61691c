import { Icon, Link, Section, useRecordLink, type Data, t } from '@keelson/web';

type Related = Data<'GET /kb/articles.php?id={id}'>['related'];
const types = { article: 'kb_article', ticket: 'ticket' } as const;

/** List of related articles and tickets. */
export function Related({ of }: { of: Related }) {
  const link = useRecordLink();
  if (of.length === 0) return null;
  return (
    <Section title={t('See also')}>
      <ul className="related">
        {of.map(({ entity_type, entity_id, title }) => (
          <li key={`${entity_type} ${entity_id}`}>
            <Icon name={entity_type === 'article' ? 'book' : 'inbox'} />
            <Link href={link(types[entity_type], entity_id) ?? ''}>{title}</Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
