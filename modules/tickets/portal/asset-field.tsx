// Asset picker for a ticket; lists the person's own assets.
import { SelectField, useItem, useSession, t } from '@keelson/web';

interface Asset {
  readonly asset_id: number;
  readonly machine_name: string;
  readonly asset_type: string;
}

export function AssetField() {
  const { pages } = useSession();
  // Assets are available only if the equipment page is.
  const shown = pages.some((each) => each.path === '/equipment');
  const { data } = useItem('GET /assets', { mine: true, limit: 50 }, { enabled: shown });
  const own: readonly Asset[] = data?.assets ?? [];
  if (own.length === 0) return null;
  return (
    <SelectField
      name="asset_id"
      label={t('Which device is affected?')}
      none={t('None of them')}
      choices={own.map((each) => ({ value: each.asset_id, label: `${each.machine_name} · ${each.asset_type}` }))}
    />
  );
}
