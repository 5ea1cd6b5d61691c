// Tree of a site's buildings, floors, rooms and zones.
import { Button, Card, confirm, Empty, Icon, IconButton, useMay, type Data, t } from '@keelson/web';
import { useState } from 'react';
import { additionOf, PlaceForm, type PlaceFormFor } from './place-form.tsx';
import { counted, inside, placesOf, type Place } from './place-tree.tsx';
import { usePlaces } from './write-places.tsx';

type Site = Data<'GET /sites.php?id={id}'>;

interface PlacesProps {
  readonly site: Site;
}

export function Places({ site }: PlacesProps) {
  const may = useMay()('companies:write');
  const [form, setForm] = useState<PlaceFormFor>();
  const places = placesOf(site.buildings);
  const { remove } = usePlaces(site.site_number, () => undefined);
  const add = may && (
    <Button size="small" icon="plus" onClick={() => setForm({ kind: 'building', parent: undefined })}>
      {t('Add building')}
    </Button>
  );
  const ask = async (place: Place) => {
    const text = place.places.length > 0 ? t('This also removes {places}.', { places: counted(place) }) : '';
    if (await confirm({ title: t('Remove {name}?', { name: place.name }), text, act: t('Remove'), danger: true }))
      remove(place);
  };
  return (
    <Card title={t('Places')} act={add}>
      {places.length === 0 ? (
        <Empty icon="building" title={t('No places yet. Add buildings, floors, rooms and zones.')} />
      ) : (
        <Branch places={places} acts={may ? { onForm: setForm, onRemove: (each) => void ask(each) } : undefined} />
      )}
      {form && <PlaceForm site_number={site.site_number} of={form} onClose={() => setForm(undefined)} />}
    </Card>
  );
}

interface Acts {
  readonly onForm: (form: PlaceFormFor) => void;
  readonly onRemove: (place: Place) => void;
}

const icons = { building: 'building', floor: 'layers', room: 'box', zone: 'target' } as const;

function Branch({ places, acts }: { places: readonly Place[]; acts: Acts | undefined }) {
  return (
    <ul className="places">
      {places.map((each) => (
        <li key={each.id}>
          <div className="place">
            <Icon name={icons[each.kind]} />
            <span className="place-name">{each.name}</span>
            {each.kind === 'floor' && <span className="tone-muted">{t('Level {level}', { level: each.level })}</span>}
            {acts && <PlaceActs place={each} {...acts} />}
          </div>
          {each.places.length > 0 && <Branch places={each.places} acts={acts} />}
        </li>
      ))}
    </ul>
  );
}

function PlaceActs({ place, onForm, onRemove }: Acts & { place: Place }) {
  const { kind, name } = place;
  const next = inside(kind);
  return (
    <span className="place-acts">
      {next && (
        <IconButton icon="plus" label={additionOf(next, name)} onClick={() => onForm({ kind: next, parent: place })} />
      )}
      <IconButton icon="edit" label={t('Rename {name}', { name })} onClick={() => onForm({ kind, place })} />
      <IconButton icon="trash" label={t('Remove {name}', { name })} onClick={() => onRemove(place)} />
    </span>
  );
}
