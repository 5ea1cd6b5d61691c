// Indexes a company's assets by type and status in list order.
import { migration } from '../core/database/migrate.ts';

export default migration('1763700000059-asset-state', async (m) => {
  await m.addIndex('asset', ['company_number', 'asset_type', 'status', 'created_at', 'asset_id', 'deleted_at']);
});
