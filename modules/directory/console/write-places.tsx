import { call, toast, toastError, useChange, t } from '@keelson/web';
import { changed, placesOf, wantedOf, type Place } from './place-tree.tsx';

const READ = 'GET /sites.php?id={id}';

/** Writes places of a site. The API replaces all of them, so they are read again right before. */
export function usePlaces(site_number: number, onDone: () => void) {
  const change = useChange('PUT /sites.php?id={id}', {
    touches: ['/sites.php'],
    done: () => {
      toast(t('Saved'));
      onDone();
    },
  });
  const write = async (edit: (now: readonly Place[]) => readonly Place[]) => {
    const { data } = await call(READ, { id: site_number });
    change.mutate({ id: site_number, body: { buildings: wantedOf(edit(placesOf(data.buildings))) } });
  };
  const edited = (edit: Parameters<typeof write>[0]) => void write(edit).catch(toastError);
  return {
    busy: change.isPending,
    add: (parent: Place | undefined, place: Place) =>
      edited((now) =>
        parent ? changed(now, parent, (each) => ({ ...each, places: [...each.places, place] })) : [...now, place],
      ),
    rename: (place: Place, given: Pick<Place, 'name' | 'level'>) =>
      edited((now) => changed(now, place, (each) => ({ ...each, ...given }))),
    remove: (place: Place) => edited((now) => changed(now, place, () => undefined)),
  };
}
