// Picker for a time zone.
import { ComboField } from './combo-field.tsx';

interface ZoneFieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly required?: boolean;
  readonly value?: string | null | undefined;
}

export function ZoneField(props: ZoneFieldProps) {
  return <ComboField {...props} choices={zoneChoices(props.value ?? '')} />;
}

export const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

export const zoneLabel = (zone: string): string => zone.replaceAll('_', ' ');

/** Returns every time zone, and the current one if this browser does not know it. */
function zoneChoices(present: string) {
  const zones = new Set(['UTC', browserZone(), present, ...Intl.supportedValuesOf('timeZone')]);
  return [...zones]
    .filter(Boolean)
    .toSorted()
    .map((value) => ({ value, label: zoneLabel(value) }));
}
