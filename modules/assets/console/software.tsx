import { Card, SearchField, SimpleTable, Time, words, type Column, type Data, t } from '@keelson/web';
import { useState } from 'react';

type Asset = Data<'GET /assets.php?id={id}'>;
type Installed = Asset['software'][number];

const columns: readonly Column<Installed>[] = [
  { key: 'name', title: t('Software'), width: '', look: 'strong', cell: (each) => each.name },
  { key: 'version', title: t('Version'), width: '', cell: (each) => each.version },
  { key: 'publisher', title: t('Publisher'), width: '', look: 'muted', cell: (each) => each.publisher },
  {
    key: 'installed',
    title: t('Installed'),
    width: '',
    look: 'muted',
    cell: (each) => <Time at={each.installed_at} />,
  },
  { key: 'source', title: t('Source'), width: '', look: 'muted', cell: (each) => words(each.source) },
];

/** Installed software, with a search field. */
export function Software({ asset: { software } }: { asset: Asset }) {
  const [text, setText] = useState('');
  const wanted = text.toLowerCase();
  const shown = software.filter((each) => `${each.name} ${each.publisher}`.toLowerCase().includes(wanted));
  return (
    <Card
      title={t('Software')}
      flush
      act={<SearchField label={t('Search software')} value={text} onSearch={setText} />}
    >
      <SimpleTable
        label={t('Software')}
        rows={shown}
        columns={columns}
        empty={
          software.length > 0
            ? t('No software matches this search.')
            : t('No software yet. A collector reports installed software.')
        }
      />
    </Card>
  );
}
