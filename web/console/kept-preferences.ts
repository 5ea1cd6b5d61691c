import { useEffect } from 'react';
import { ask, useAnswer } from '../kit/client.ts';
import { useLive } from '../kit/live.ts';
import { sendPreferences, takePreferences, type Preferences } from '../kit/preferences.ts';
import { toastError } from '../kit/toast.tsx';

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
