import { Dialog, Form, TextField, texts, t } from '@keelson/web';
import type { Kind, Place } from './place-tree.tsx';
import { usePlaces } from './write-places.tsx';

/** A place to rename, or the kind of a new one and its parent. */
export type PlaceFormFor =
  | { readonly kind: Kind; readonly place: Place; readonly parent?: never }
  | { readonly kind: Kind; readonly parent: Place | undefined; readonly place?: never };

interface PlaceFormProps {
  readonly site_number: number;
  readonly of: PlaceFormFor;
  readonly onClose: () => void;
}

export function PlaceForm({ site_number, of: { kind, place, parent }, onClose }: PlaceFormProps) {
  const { add, rename, busy } = usePlaces(site_number, onClose);
  const submit = (given: FormData) => {
    const { name, level } = texts(given, 'name', 'level');
    if (place) rename(place, { name, level: Number(level) });
    else add(parent, { kind, id: undefined, name, level: Number(level), places: [] });
  };
  const title = place ? t('Rename {name}', { name: place.name }) : additionOf(kind, parent?.name);
  return (
    <Dialog title={title} open onClose={onClose}>
      <Form submit={place ? t('Save') : t('Add')} busy={busy} onCancel={onClose} onSubmit={submit}>
        <TextField name="name" label={t('Name')} value={place?.name} max={255} required autoFocus />
        {kind === 'floor' && (
          <TextField
            name="level"
            label={t('Level')}
            type="number"
            value={place?.level ?? 0}
            hint={t('0 is the ground floor.')}
            required
          />
        )}
      </Form>
    </Dialog>
  );
}

/** Returns the title of adding a place. Only buildings have no parent. */
export function additionOf(kind: Kind, parent = ''): string {
  if (kind === 'building') return t('Add building');
  if (kind === 'floor') return t('Add floor to {parent}', { parent });
  return kind === 'room' ? t('Add room to {parent}', { parent }) : t('Add zone to {parent}', { parent });
}
