import { call, toast, toastError, useChange, t } from '@keelson/web';

const READ = 'GET /assets.php?id={id}';

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

/** Writes the credentials of an asset. The API replaces the whole list, so it is read again right before. */
export function useCredentials(asset_id: number, onDone: () => void) {
  const change = useChange('PUT /assets.php?id={id}', {
    touches: ['/assets.php'],
    done: () => {
      toast(t('Saved'));
      onDone();
    },
  });
  const write = async (edit: (now: readonly CredentialNode[]) => readonly CredentialNode[]) => {
    const { data } = await call(READ, { id: asset_id });
    const now = data.credentials.map(({ login_id }) => ({ login_id }));
    change.mutate({ id: asset_id, body: { credentials: edit(now) } });
  };
  return { write: (edit: Parameters<typeof write>[0]) => void write(edit).catch(toastError), change };
}
