// Asset page: its facts in the sidebar, its parts in tabs.
import {
  Badge,
  Button,
  confirm,
  RecordPage,
  RecordPending,
  Tabs,
  toneOf,
  useChange,
  useItem,
  useGo,
  useMay,
  words,
  type Data,
  type Tab,
  t,
} from '@keelson/web';
import { useState } from 'react';
import { AssetSide } from './asset-side.tsx';
import { Changes } from './changes.tsx';
import { Credentials } from './credentials.tsx';
import { EditAsset } from './edit-asset.tsx';
import { Overview } from './overview.tsx';
import { Ports } from './ports.tsx';
import { Software } from './software.tsx';
import { Topology } from './topology.tsx';

const READ = 'GET /assets.php?id={id}';
type Asset = Data<typeof READ>;
const back = { to: '/assets', title: t('Back to assets') };

export default function AssetPage({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data: asset, error, refetch } = useItem(READ, { id });
  if (error || !asset)
    return <RecordPending title={t('Asset')} back={back} error={error} retry={() => void refetch()} />;
  return (
    <RecordPage
      number={asset.asset_number}
      title={asset.machine_name}
      back={back}
      badge={asset.status && <Badge tone={toneOf(asset.status)}>{words(asset.status)}</Badge>}
      acts={<Acts asset={asset} />}
      side={<AssetSide asset={asset} />}
    >
      <Tabs label={t('Asset')} tabs={tabsOf(asset)} />
    </RecordPage>
  );
}

const counted = (title: string, { length }: readonly unknown[]) => (length > 0 ? `${title} (${length})` : title);

const tabsOf = (asset: Asset): readonly Tab[] => [
  { id: 'overview', title: t('Overview'), body: () => <Overview asset={asset} /> },
  { id: 'ports', title: counted(t('Ports'), asset.ports), body: () => <Ports asset={asset} /> },
  { id: 'credentials', title: counted(t('Credentials'), asset.credentials), body: () => <Credentials asset={asset} /> },
  { id: 'software', title: counted(t('Software'), asset.software), body: () => <Software asset={asset} /> },
  { id: 'topology', title: t('Topology'), body: () => <Topology asset_id={asset.asset_id} /> },
  { id: 'history', title: t('History'), body: () => <Changes asset_id={asset.asset_id} /> },
];

function Acts({ asset: { asset_id, machine_name }, asset }: { asset: Asset }) {
  const may = useMay();
  const go = useGo();
  const [editing, setEditing] = useState(false);
  const remove = useChange('DELETE /assets.php?id={id}', { touches: ['/assets.php'], done: () => go(back.to) });
  const ask = async () => {
    const question = {
      title: t('Delete {machine_name}?', { machine_name }),
      text: t('Its ports and logins will be deleted too.'),
      act: t('Delete'),
    };
    if (await confirm({ ...question, danger: true })) remove.mutate({ id: asset_id });
  };
  return (
    <>
      {may('assets:write') && (
        <Button icon="edit" onClick={() => setEditing(true)}>
          {t('Edit')}
        </Button>
      )}
      {may('assets:delete') && (
        <Button look="quiet" icon="trash" disabled={remove.isPending} onClick={() => void ask()}>
          {t('Delete')}
        </Button>
      )}
      <EditAsset asset={asset} open={editing} onClose={() => setEditing(false)} />
    </>
  );
}
