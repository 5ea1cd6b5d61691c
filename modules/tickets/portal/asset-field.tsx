// Asset picker for a ticket; lists the person's own assets.
import { SelectField, useAllRows, useSession, t } from '@keelson/web';

export function AssetField() {
  const { pages } = useSession();
  // Assets are available only if the equipment page is.
  const shown = pages.some((each) => each.path === '/equipment');
  const { rows: own } = useAllRows('GET /assets', { mine: true }, { enabled: shown });
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
