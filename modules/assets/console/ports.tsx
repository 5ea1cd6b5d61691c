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
    if (await confirm({ title: `Remove ${nameOfPort(port)}?`, act: 'Remove', danger: true }))
      remove.mutate({ id: asset_id, port_id: port.port_id });
  };
  const columns: readonly Column<Port>[] = [
    { key: 'number', title: 'No.', width: '', look: 'muted', cell: (each) => each.port_number ?? '–' },
    { key: 'name', title: 'Port', width: '', look: 'strong', cell: nameOfPort },
    {
      key: 'status',
      title: 'Status',
      width: '',
      cell: ({ status }) => <PortStatus status={status} />,
    },
    { key: 'type', title: 'Type', width: '', cell: (each) => each.port_type },
    { key: 'speed', title: 'Speed', width: '', look: 'right', cell: ({ speed_mbps }) => speedOf(speed_mbps) },
    { key: 'to', title: 'Connected to', width: '', cell: (each) => <Other port={each} names={names} /> },
    { key: 'notes', title: 'Notes', width: '', look: 'muted', cell: (each) => each.notes },
    {
      key: 'acts',
      title: 'Acts',
      untitled: true,
      width: '',
      look: 'right acts',
      cell: (each) =>
        may && (
          <>
            <IconButton icon="edit" label={`Edit ${nameOfPort(each)}`} onClick={() => setOpen(each)} />
            <IconButton icon="trash" label={`Remove ${nameOfPort(each)}`} onClick={() => void ask(each)} />
          </>
        ),
    },
  ];
  return (
    <Card title="Ports" flush act={may && <Add onClick={() => setOpen('new')} />}>
      <SimpleTable label="Ports" rows={ports} columns={columns} empty="No ports yet." />
      {open && <PortForm asset={asset} port={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}

const Add = ({ onClick }: { onClick: () => void }) => (
  <Button size="small" icon="plus" onClick={onClick}>
    Add port
  </Button>
);

function Other({ port, names }: { port: Port; names: ReadonlyMap<number, string> }) {
  const { connected_asset_id: id } = port;
  if (id === null) return '–';
  return <Link href={addressWith('/assets/:quoted', id)}>{names.get(id) ?? `Asset ${id}`}</Link>;
}

function speedOf(mbps: number | null): string {
  if (mbps === null) return '–';
  return mbps >= 1000 ? `${mbps / 1000} Gbit/s` : `${mbps} Mbit/s`;
}
