import {
  Badge,
  Bones,
  Button,
  Card,
  confirm,
  Dialog,
  Failed,
  SimpleTable,
  Time,
  toast,
  useChange,
  useItem,
  t,
} from '@keelson/web';
import type { Column, Row } from '@keelson/web';
import { useState } from 'react';

const LIST = 'GET /kb/articles.php?action=versions&id={id}';
type Version = Row<typeof LIST>;

interface VersionsProps {
  readonly article_id: number;
  /** The current version. */
  readonly now: number;
  readonly may: boolean;
}

/** Version history, newest first; any version can be restored. */
export function Versions({ article_id, now, may }: VersionsProps) {
  const { data, error, refetch } = useItem(LIST, { id: article_id });
  const [shown, setShown] = useState<number>();
  const restore = useChange('POST /kb/articles.php?action=restore&id={id}', {
    touches: ['/kb/'],
    done: () => toast(t('Version restored')),
  });
  const ask = async (version: number) => {
    const text = t('This creates a new version. No version is lost.');
    if (await confirm({ title: t('Restore version {version}?', { version }), text, act: t('Restore') }))
      restore.mutate({ id: article_id, body: { version } });
  };
  const columns: readonly Column<Version>[] = [
    { key: 'version', title: t('Version'), width: '', look: 'strong', cell: (each) => each.version },
    { key: 'title', title: t('Title'), width: '', cell: (each) => each.title },
    { key: 'author', title: t('By'), width: '', cell: (each) => each.author_name },
    { key: 'at', title: t('When'), width: '', look: 'muted', cell: (each) => <Time at={each.created_at} /> },
    {
      key: 'acts',
      title: t('Acts'),
      untitled: true,
      width: '',
      look: 'right acts',
      cell: ({ version }) => (
        <>
          <Button size="small" onClick={() => setShown(version)}>
            {t('Changes')} <span className="hidden">{t('in version {version}', { version })}</span>
          </Button>
          {version === now ? (
            <Badge tone="ok">{t('Current')}</Badge>
          ) : (
            may && (
              <Button size="small" icon="undo" disabled={restore.isPending} onClick={() => void ask(version)}>
                {t('Restore')} <span className="hidden">{t('version {version}', { version })}</span>
              </Button>
            )
          )}
        </>
      ),
    },
  ];
  if (error) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return <Bones />;
  return (
    <Card title={t('Versions')} flush>
      <SimpleTable label={t('Versions')} rows={data} columns={columns} />
      {shown !== undefined && (
        <Dialog title={t('Changes in version {shown}', { shown })} open wide onClose={() => setShown(undefined)}>
          <Difference article_id={article_id} version={shown} />
        </Dialog>
      )}
    </Card>
  );
}

const signs = { same: ' ', added: '+', removed: '−' } as const;
const said = { same: '', added: t('Added: '), removed: t('Removed: ') } as const;

function Difference({ article_id, version }: { article_id: number; version: number }) {
  const { data, error } = useItem('GET /kb/articles.php?action=version&id={id}', { id: article_id, version });
  if (error) return <Failed error={error} />;
  if (!data) return <Bones />;
  return (
    <ol className="difference">
      {data.difference.map(({ change, text }, index) => (
        <li key={index} data-change={change}>
          <span aria-hidden="true">{signs[change]}</span>
          <span>
            <span className="hidden">{said[change]}</span>
            {text}
          </span>
        </li>
      ))}
    </ol>
  );
}
