import { toast, useRewrite, t } from '@keelson/web';
import { changed, placesOf, wantedOf, type Place } from './place-tree.tsx';

const READ = 'GET /sites.php?id={id}';
const WRITE = 'PUT /sites.php?id={id}';

/** Writes places of a site. */
export function usePlaces(site_number: number, onDone: () => void) {
  const { busy, rewrite } = useRewrite(
    READ,
    WRITE,
    { id: site_number },
    {
      touches: ['/sites.php'],
      done: () => {
        toast(t('Saved'));
        onDone();
      },
    },
  );
  const edited = (edit: (now: readonly Place[]) => readonly Place[]) =>
    rewrite(({ buildings }) => ({ buildings: wantedOf(edit(placesOf(buildings))) }));
  return {
    busy,
    add: (parent: Place | undefined, place: Place) =>
      edited((now) =>
        parent ? changed(now, parent, (each) => ({ ...each, places: [...each.places, place] })) : [...now, place],
      ),
    rename: (place: Place, given: Pick<Place, 'name' | 'level'>) =>
      edited((now) => changed(now, place, (each) => ({ ...each, ...given }))),
    remove: (place: Place) => edited((now) => changed(now, place, () => undefined)),
  };
}
