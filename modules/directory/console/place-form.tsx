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
  const title = place ? `Rename ${place.name}` : `Add ${kind}${parent ? ` to ${parent.name}` : ''}`;
  return (
    <Dialog title={title} open onClose={onClose}>
      <Form submit={place ? t('Save') : t('Add {kind}', { kind })} busy={busy} onCancel={onClose} onSubmit={submit}>
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
