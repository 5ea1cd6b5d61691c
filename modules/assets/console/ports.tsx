// The ports of an asset, and what is connected to them.
import {
  addressWith,
  Button,
  Card,
  confirm,
  IconButton,
  Link,
  SimpleTable,
  useChange,
  useItem,
  useMay,
  t,
} from '@keelson/web';
import type { Column, Data } from '@keelson/web';
import { useState } from 'react';
import { nameOfPort, PortStatus } from './look.tsx';
import { PortForm } from './port-form.tsx';

type Asset = Data<'GET /assets.php?id={id}'>;
type Port = Asset['ports'][number];

export function Ports({ asset }: { asset: Asset }) {
  const { asset_id, ports } = asset;
  const may = useMay()('assets:write');
  const [open, setOpen] = useState<Port | 'new'>();
  // The neighbours, for their names.
  const near = useItem('GET /assets.php?action=topology&id={id}', { id: asset_id, depth: 1 });
  const names = new Map((near.data?.nodes ?? []).map((each) => [each.asset_id, each.machine_name]));
  const remove = useChange('DELETE /assets.php?action=ports&id={id}&port_id={port_id}', { touches: ['/assets.php'] });
  const ask = async (port: Port) => {
    if (await confirm({ title: t('Remove {port}?', { port: nameOfPort(port) }), act: t('Remove'), danger: true }))
      remove.mutate({ id: asset_id, port_id: port.port_id });
  };
  const columns: readonly Column<Port>[] = [
    { key: 'number', title: t('No.'), width: '', look: 'muted', cell: (each) => each.port_number ?? '–' },
    { key: 'name', title: t('Port'), width: '', look: 'strong', cell: nameOfPort },
    {
      key: 'status',
      title: t('Status'),
      width: '',
      cell: ({ status }) => <PortStatus status={status} />,
    },
    { key: 'type', title: t('Type'), width: '', cell: (each) => each.port_type },
    { key: 'speed', title: t('Speed'), width: '', look: 'right', cell: ({ speed_mbps }) => speedOf(speed_mbps) },
    { key: 'to', title: t('Connected to'), width: '', cell: (each) => <Other port={each} names={names} /> },
    { key: 'notes', title: t('Notes'), width: '', look: 'muted', cell: (each) => each.notes },
    {
      key: 'acts',
      title: t('Acts'),
      untitled: true,
      width: '',
      look: 'right acts',
      cell: (each) =>
        may && (
          <>
            <IconButton
              icon="edit"
              label={t('Edit {port}', { port: nameOfPort(each) })}
              onClick={() => setOpen(each)}
            />
            <IconButton
              icon="trash"
              label={t('Remove {port}', { port: nameOfPort(each) })}
              onClick={() => void ask(each)}
            />
          </>
        ),
    },
  ];
  return (
    <Card title={t('Ports')} flush act={may && <Add onClick={() => setOpen('new')} />}>
      <SimpleTable label={t('Ports')} rows={ports} columns={columns} empty={t('No ports yet.')} />
      {open && <PortForm asset={asset} port={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}

const Add = ({ onClick }: { onClick: () => void }) => (
  <Button size="small" icon="plus" onClick={onClick}>
    {t('Add port')}
  </Button>
);

function Other({ port, names }: { port: Port; names: ReadonlyMap<number, string> }) {
  const { connected_asset_id: id } = port;
  if (id === null) return '–';
  return <Link href={addressWith('/assets/:quoted', id)}>{names.get(id) ?? t('Asset {id}', { id })}</Link>;
}

function speedOf(mbps: number | null): string {
  if (mbps === null) return '–';
  return mbps >= 1000 ? `${mbps / 1000} Gbit/s` : `${mbps} Mbit/s`;
}
