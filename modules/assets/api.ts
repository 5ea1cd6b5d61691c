export { editsAssets, findPortalAsset, lockPortalAsset, readsAssets, showsAssets } from './access.ts';
export { announceParts } from './assets/announce.ts';
export { AssetItem, AssetMention, PortalAsset } from './assets/asset-list.ts';
export {
  Assets,
  createAsset,
  deleteAsset,
  lockAsset,
  updateAsset,
  type AssetUpdate,
  type NewAsset,
} from './assets/assets.ts';
export { addCredential } from './credentials/credentials.ts';
export { Asset } from './entities/asset.ts';
export { AssetAddress, AssetPort, AssetSoftware } from './entities/parts.ts';
export { AssetCreated, AssetDeleted, AssetDiscovered, AssetUpdated } from './events.ts';
export { AssetNames } from './names.ts';
export { assignedAmong, countAssignedAddresses, mayBeAt, readAssignedAddresses } from './parts/site-addresses.ts';
export { replaceSoftware } from './parts/software.ts';
export { DeleteAssets, ReadAssets, WriteAssets } from './permissions.ts';
export { portName } from './ports/ports.ts';
export { AddressNetworks, AssetContracts, AssetLicenses, KnownVlans } from './slots.ts';
export { deletedAmong, deletedCandidates, deletedOf, lockCandidates } from './discovered/candidates.ts';
export { addFoundAssets, changeFoundAssets, noteSeen, restoreAsset, type FoundAsset } from './discovered/discovered.ts';
export { mergeFoundPorts, replaceFoundSoftware, type FoundOn } from './discovered/found-parts.ts';
export { hostKey, isPlaceholderHost, isSameHost } from './host-names.ts';
export { readIdentifiers, type Identifiers } from './identifiers.ts';
