import { Badge, Time, type Row } from '@keelson/web';

type Expiry = Row<'GET /warranty/expiry.php'>;
const tones = { valid: 'ok', expiring: 'warn', expired: 'danger' } as const;

/** Asset list cell with the end of the warranty. */
export default function WarrantyColumn({ value }: { value?: Expiry }) {
  if (!value) return '–';
  return (
    <Badge tone={tones[value.state]}>
      <Time at={value.until} />
    </Badge>
  );
}
