import { Badge, type Row, t, useNow } from '@keelson/web';
import { coarse, distance } from './look.tsx';

type Due = Row<'GET /levels/due.php'>;
const HOUR = 3_600_000;

/** Ticket list cell with the next target. */
export default function DueColumn({ value }: { value?: Due }) {
  const now = useNow();
  if (!value) return '–';
  if (value.paused_since && !value.breached_at) return t('Paused');
  if (!value.due_at) return '–';
  const left = new Date(value.due_at).getTime() - now;
  if (left <= 0) return <Badge tone="danger">{t('{due_at} late', { due_at: coarse(value.due_at, now) })}</Badge>;
  const text = t('in {due_at}', { due_at: distance(value.due_at, now) });
  return left < HOUR ? <Badge tone="warn">{text}</Badge> : text;
}
