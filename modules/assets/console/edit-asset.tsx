import { EditDialog, RecordField, SchemaFields, type Data, t } from '@keelson/web';
import schema from 'schema:PUT /assets.php?id={id}';

type Asset = Data<'GET /assets.php?id={id}'>;

const what = ['machine_name', 'asset_type', 'status', 'serial_number', 'manufacturer', 'model', 'operating_system'];
const where = ['ip_address', 'mac_address', 'location', 'purchase_date', 'warranty_expires', 'notes'];
const names = [...what, 'site_number', 'assigned_employee', ...where];

export function EditAsset({ asset, open, onClose }: { asset: Asset; open: boolean; onClose: () => void }) {
  const { company_number } = asset;
  return (
    <EditDialog
      title={t('Edit {machine_name}', { machine_name: asset.machine_name })}
      open={open}
      onClose={onClose}
      operation="PUT /assets.php?id={id}"
      args={{ id: asset.asset_id }}
      schema={schema}
      names={names}
      values={asset}
      touches={['/assets.php']}
    >
      <SchemaFields schema={schema} names={what} values={asset} />
      <RecordField
        type="site"
        name="site_number"
        label={t('Site')}
        where={{ company_number }}
        value={asset.site_number}
        shown={asset.site_name ?? ''}
      />
      <RecordField
        type="contact"
        name="assigned_employee"
        label={t('User')}
        where={{ company_number }}
        value={asset.assigned_employee}
        shown={asset.assigned_employee_name ?? ''}
      />
      <SchemaFields schema={schema} names={where} values={asset} />
    </EditDialog>
  );
}
