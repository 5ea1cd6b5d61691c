// Dialog that adds or changes a port and the other end of its cable.
import {
  Dialog,
  editsOf,
  Form,
  RecordField,
  SelectField,
  TextField,
  useAllRows,
  useChange,
  useFinish,
  useItem,
  useMay,
  valuesOf,
  t,
} from '@keelson/web';
import type { Data } from '@keelson/web';
import { useState } from 'react';
import schema from 'schema:PUT /assets.php?action=ports&id={id}&port_id={port_id}';
import { nameOfPort, portStates } from './look.tsx';

type Asset = Data<'GET /assets.php?id={id}'>;
type Port = Asset['ports'][number];

const names = [
  'port_name',
  'port_number',
  'port_type',
  'status',
  'speed_mbps',
  'mac_address',
  'vlan_id',
  'connected_asset_id',
  'connected_port_id',
  'notes',
];

const statuses = Object.entries(portStates).map(([value, label]) => ({ value, label }));

interface PortFormProps {
  readonly asset: Asset;
  readonly port: Port | undefined;
  readonly onClose: () => void;
}

export function PortForm({ asset: { asset_id, company_number }, port, onClose }: PortFormProps) {
  const [other, setOther] = useState(port?.connected_asset_id ?? undefined);
  const finish = useFinish(onClose);
  const change = {
    quiet: true,
    touches: ['/assets.php'],
    done: () => finish(t('Saved')),
  };
  const add = useChange('POST /assets.php?action=ports&id={id}', change);
  const save = useChange('PUT /assets.php?action=ports&id={id}&port_id={port_id}', change);
  const submit = (given: FormData, opened: FormData) => {
    if (!port) return add.mutate({ id: asset_id, body: valuesOf(given, schema, names) });
    const body = editsOf(given, opened, schema, names);
    if (Object.keys(body).length === 0) onClose();
    else save.mutate({ id: asset_id, port_id: port.port_id, body });
  };
  return (
    <Dialog title={port ? t('Edit {port}', { port: nameOfPort(port) }) : t('Add port')} open onClose={onClose}>
      <Form
        submit={port ? t('Save') : t('Add port')}
        busy={add.isPending || save.isPending}
        error={add.error ?? save.error}
        onCancel={onClose}
        onSubmit={submit}
      >
        <TextField name="port_name" label={t('Name')} value={port?.port_name} max={255} autoFocus />
        <TextField name="port_number" label={t('Number')} type="number" value={port?.port_number} />
        <TextField name="port_type" label={t('Type')} value={port?.port_type} max={100} placeholder={t('RJ45')} />
        <SelectField name="status" label={t('Status')} value={port?.status ?? 'unknown'} choices={statuses} required />
        <TextField name="speed_mbps" label={t('Speed in Mbit/s')} type="number" value={port?.speed_mbps} />
        <TextField name="mac_address" label={t('MAC address')} value={port?.mac_address} />
        <Vlan company_number={company_number} value={port?.vlan_id} />
        <RecordField
          type="asset"
          name="connected_asset_id"
          label={t('Connected to')}
          where={{ company_number }}
          value={port?.connected_asset_id}
          onPick={(picked) => setOther(picked && Number(picked.id))}
        />
        {other !== undefined && (
          <OtherPort
            key={other}
            asset_id={other}
            value={other === port?.connected_asset_id ? port.connected_port_id : null}
          />
        )}
        <TextField name="notes" label={t('Notes')} lines={3} value={port?.notes} />
      </Form>
    </Dialog>
  );
}

function OtherPort({ asset_id, value }: { asset_id: number; value: number | null | undefined }) {
  const { data: ports } = useItem('GET /assets.php?action=ports&id={id}', { id: asset_id });
  return (
    <SelectField
      name="connected_port_id"
      label={t('Remote port')}
      value={value}
      choices={ports?.map((each) => ({ value: each.port_id, label: nameOfPort(each) }))}
      none={t('Unknown')}
    />
  );
}

function Vlan({ company_number, value }: { company_number: number; value: number | null | undefined }) {
  const may = useMay()('networks:read');
  const { rows, loading } = useAllRows('GET /vlans.php', { company_number }, { enabled: may });
  if (!may) return <input type="hidden" name="vlan_id" value={value ?? ''} />;
  return (
    <SelectField
      name="vlan_id"
      label={t('VLAN')}
      value={value}
      choices={
        loading ? undefined : rows.map((each) => ({ value: each.vlan_id, label: `${each.vlan_number} ${each.name}` }))
      }
      none={t('None')}
    />
  );
}
