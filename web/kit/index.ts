// Public API of @keelson/web for pages. Its level is `web: 1`; additions do not raise it.
export { addressWith } from './address.ts';
export { Board } from './board.tsx';
export type { BoardColumn } from './board.tsx';
export { ask, call, dataOf, hrefOf, queries, stale, useAnswer, useChange, useItem } from './client.ts';
export type { Answer, Args, Change, Data, Operation, Row } from './client.ts';
export { ChoiceGroups } from './choice-groups.tsx';
export { useCommands } from './commands.ts';
export { Chart } from './chart.tsx';
export { ComboField } from './combo-field.tsx';
export { browserZone, ZoneField, zoneLabel } from './zone-field.tsx';
export { confirm } from './confirm.tsx';
export { RemoveButton } from './remove-button.tsx';
export { SettingsCard, useMaySet } from './settings-card.tsx';
export { copy } from './copy.ts';
export { dragged, Grip, useDrop } from './drag.tsx';
export { useDraft } from './draft.ts';
export { Explained, useExplained } from './explained.tsx';
export { EditableFact, EditingForm, useEditing } from './editable-fact.tsx';
export { ChosenFiles, Files, FilesButton, sendFiles } from './files.tsx';
export type { Attachment } from './files.tsx';
export type { BodySchema, FieldInfo, Fields } from './fields.ts';
export { valuesOf } from './fields.ts';
export { FormRows } from './form-rows.tsx';
export {
  CheckField,
  Field,
  Form,
  rawLines,
  rawText,
  SelectField,
  SelectSeveralField,
  sentences,
  TextField,
  texts,
} from './form.tsx';
export {
  ago,
  counted,
  date,
  fileSize,
  initials,
  inputTime,
  minutes,
  moment,
  money,
  number,
  plainText,
  unitPrice,
  words,
  localToday,
  percent,
} from './format.ts';
export { columnsOf } from './generic-parts.tsx';
export { Icon } from './icon.tsx';
export type { IconName } from './icons.ts';
export { ImportHistory } from './import-history.tsx';
export { ImportPage } from './import-page.tsx';
export { InvitedPeople, InviteImported } from './invited-people.tsx';
export { keyName, useKeys } from './keys.tsx';
export type { Key } from './keys.tsx';
export { Line, Lines } from './lines.tsx';
export { Filter, ListPage, SearchField, usePageTitle } from './list-page.tsx';
export { useChanges, useLive, usePresent, usePresentIn } from './live.ts';
export { useMeasured, useOffer } from './measured.ts';
export { useNarrow } from './media.ts';
export { Dialog, Menu } from './menu.tsx';
export type { Choice } from './menu.tsx';
export { answered, firstRows, useFirstRows, usePages, useRows, useTotal } from './pages.ts';
export type { Rows } from './pages.ts';
export { openPalette } from './palette.tsx';
export {
  Avatar,
  Badge,
  Bones,
  Button,
  Card,
  Empty,
  Fact,
  Facts,
  Failed,
  Figure,
  IconButton,
  Kbd,
  LinkButton,
  Note,
  Phone,
  Time,
} from './parts.tsx';
export type { Tone } from './parts.tsx';
export { MailPreview } from './mail-preview.tsx';
export { Piece, Slot } from './piece.tsx';
export { place } from './place.ts';
export { changePreferences, usePreferences } from './preferences.ts';
export type { Preferences } from './preferences.ts';
export { usePluginColumns } from './plugin-columns.tsx';
export { pickerOf } from './picker-of.ts';
export { RecordField, RecordName } from './record-field.tsx';
export { RecordsField } from './records-field.tsx';
export type { Picked } from './record-field.tsx';
export { RecordPage, RecordPending, Section, Sheet, Tabs } from './record-page.tsx';
export type { Tab } from './record-page.tsx';
export { monthName, ReportCell } from './report-cell.tsx';
export { Refused } from './refused.ts';
export { rich } from './rich.tsx';
export { useRested } from './rested.ts';
export { RichText } from './rich-text.tsx';
export { SchemaFields } from './schema-fields.tsx';
export { PortalAccess } from './portal-access.tsx';
export { Secret } from './secret.tsx';
export { useMay, useRecordLink, useSession } from './session.tsx';
export type { Session } from './session.tsx';
export { SimpleTable } from './simple-table.tsx';
export { Table } from './table.tsx';
export type { Column, Sorting } from './table.tsx';
export { Timeline } from './timeline.tsx';
export type { TimelineRow } from './timeline.tsx';
export { toast, toastError } from './toast.tsx';
export { toneOf, Value } from './value.tsx';
export { chosenLanguage, language, languageChoices, locale, t, withinSentence } from './words.ts';
export { Link, useLocation, useSearchParams } from 'wouter';
