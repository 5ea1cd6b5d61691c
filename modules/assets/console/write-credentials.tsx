import { toast, useRewrite, t } from '@keelson/web';

const READ = 'GET /assets.php?id={id}';
const WRITE = 'PUT /assets.php?id={id}';

/** A credential in the request. Others stay unchanged if only their id is sent. */
export interface CredentialNode {
  readonly login_id?: number;
  readonly label?: string;
  readonly username?: string;
  readonly password?: string;
  readonly url?: string;
  readonly notes?: string;
  readonly provider_only?: boolean;
}

/** Writes the credentials of an asset. */
export function useCredentials(asset_id: number, onDone: () => void) {
  const { busy, rewrite } = useRewrite(
    READ,
    WRITE,
    { id: asset_id },
    {
      touches: ['/assets.php'],
      done: () => {
        toast(t('Saved'));
        onDone();
      },
    },
  );
  const write = (edit: (now: readonly CredentialNode[]) => readonly CredentialNode[]) =>
    rewrite(({ credentials }) => ({ credentials: edit(credentials.map(({ login_id }) => ({ login_id }))) }));
  return { busy, write };
}
