import { call, toast, toastError, useChange } from '@keelson/web';

const READ = 'GET /assets.php?id={id}';

/** The other logins stay as they are when they are named. */
export interface CredentialNode {
  readonly login_id?: number;
  readonly label?: string;
  readonly username?: string;
  readonly password?: string;
  readonly url?: string;
  readonly notes?: string;
  readonly provider_only?: boolean;
}

/** Writes the logins of an asset: the interface takes all of them, so they are read once more right before. */
export function useCredentials(asset_id: number, onDone: () => void) {
  const change = useChange('PUT /assets.php?id={id}', {
    touches: ['/assets.php'],
    done: () => {
      toast('Saved');
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
