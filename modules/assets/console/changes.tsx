import { Card, firstRows, Loaded, number, SimpleTable, Time, usePages, words, t } from '@keelson/web';
import type { Column, Row } from '@keelson/web';

const LIST = 'GET /assets.php?action=history&id={id}';
const SHOWN = 100;

const columns: readonly Column<Row<typeof LIST>>[] = [
  { key: 'field', title: t('Field'), width: '', look: 'strong', cell: (each) => words(each.field) },
  { key: 'before', title: t('Before'), width: '', look: 'muted', cell: (each) => each.before || '–' },
  { key: 'after', title: t('After'), width: '', cell: (each) => each.after || '–' },
  { key: 'by', title: t('By'), width: '', cell: (each) => each.changed_by },
  { key: 'at', title: t('When'), width: '', look: 'muted', cell: (each) => <Time at={each.changed_at} /> },
];

/** The asset's change history, newest first. */
export function Changes({ asset_id }: { asset_id: number }) {
  const list = usePages(LIST, { id: asset_id });
  const title =
    list.total > SHOWN
      ? t('Latest {shown} of {total} changes', { shown: SHOWN, total: number(list.total) })
      : t('Changes');
  return (
    <Card title={title} flush>
      <Loaded list={list}>
        <SimpleTable
          label={t('Changes')}
          rows={firstRows(list, SHOWN)}
          columns={columns}
          empty={t('No changes yet.')}
        />
      </Loaded>
    </Card>
  );
}
