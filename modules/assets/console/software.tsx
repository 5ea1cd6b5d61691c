import { Card, SearchField, SimpleTable, Time, words, type Column, type Data } from '@keelson/web';
import { useState } from 'react';

type Asset = Data<'GET /assets.php?id={id}'>;
type Installed = Asset['software'][number];

const columns: readonly Column<Installed>[] = [
  { key: 'name', title: 'Software', width: '', look: 'strong', cell: (each) => each.name },
  { key: 'version', title: 'Version', width: '', cell: (each) => each.version },
  { key: 'publisher', title: 'Publisher', width: '', look: 'muted', cell: (each) => each.publisher },
  { key: 'installed', title: 'Installed', width: '', look: 'muted', cell: (each) => <Time at={each.installed_at} /> },
  { key: 'source', title: 'Source', width: '', look: 'muted', cell: (each) => words(each.source) },
];

/** Installed software, with a search field. */
export function Software({ asset: { software } }: { asset: Asset }) {
  const [text, setText] = useState('');
  const wanted = text.toLowerCase();
  const shown = software.filter((each) => `${each.name} ${each.publisher}`.toLowerCase().includes(wanted));
  return (
    <Card title="Software" flush act={<SearchField label="Search software" value={text} onSearch={setText} />}>
      <SimpleTable
        label="Software"
        rows={shown}
        columns={columns}
        empty={
          software.length > 0
            ? 'No software matches this search.'
            : 'No software yet. A collector reports installed software.'
        }
      />
    </Card>
  );
}
