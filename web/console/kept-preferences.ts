import { useEffect } from 'react';
import { toastError } from '../kit/components/toast.tsx';
import { ask, useAnswer } from '../kit/request/client.ts';
import { useLive } from '../kit/request/live.ts';
import { sendPreferences, takePreferences, type Preferences } from '../kit/shell/preferences.ts';

/** Syncs the person's preferences with the server; changes from other devices apply immediately. */
export function useKeptPreferences(): void {
  useLive('preference', '/preferences.php');
  const { data } = useAnswer('GET /preferences.php');
  useEffect(() => {
    if (!data) return;
    takePreferences(data as Preferences);
    sendPreferences((changed) => void ask('PUT /preferences.php', { body: changed }).catch(toastError));
    return () => sendPreferences(undefined);
  }, [data]);
}
