// Display of port statuses.
import { Badge, type Data, type Tone, t } from '@keelson/web';

type Port = Data<'GET /assets.php?id={id}'>['ports'][number];

const tones: Readonly<Record<Port['status'], Tone>> = { up: 'ok', down: 'danger', disabled: 'muted', unknown: 'muted' };
export const portStates: Readonly<Record<Port['status'], string>> = {
  up: t('Up'),
  down: t('Down'),
  disabled: t('Disabled'),
  unknown: t('Unknown'),
};

export const PortStatus = ({ status }: Pick<Port, 'status'>) => (
  <Badge tone={tones[status]}>{portStates[status]}</Badge>
);

export const nameOfPort = ({ port_name, port_number }: Pick<Port, 'port_name' | 'port_number'>): string =>
  port_name || (port_number === null ? t('Unnamed port') : t('Port {number}', { number: port_number }));
