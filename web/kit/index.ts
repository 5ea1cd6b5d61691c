// Public API of @keelson/web for pages. Its level is `web: 1`; additions do not raise it.
export { addressWith } from './address.ts';
export { Board } from './list/board.tsx';
export type { BoardColumn } from './list/board.tsx';
export { useMovedCards } from './list/moved-cards.ts';
export { ask, call, dataOf, hrefOf, queries, stale, useAnswer, useChange, useItem } from './request/client.ts';
export type { Answer, Args, Change, Data, Operation, Row } from './request/client.ts';
export { ChoiceGroups } from './form/choice-groups.tsx';
export { useCommands } from './shell/commands.ts';
export { Chart } from './components/chart.tsx';
export { ComboField } from './form/combo-field.tsx';
export { browserZone, ZoneField, zoneLabel } from './form/zone-field.tsx';
export { confirm } from './components/confirm.tsx';
export { RemoveButton } from './components/remove-button.tsx';
export { SettingsCard, useMaySet } from './form/settings-card.tsx';
export { copy } from './copy.ts';
export { dragged, Grip, useDrop } from './components/drag.tsx';
export { useDraft } from './draft.ts';
export { Explained, useExplained } from './components/explained.tsx';
export { EditDialog } from './form/edit-dialog.tsx';
export { EditableFact, EditingForm, useEditing } from './form/editable-fact.tsx';
export { ChosenFiles, Files, FilesButton, sendFiles } from './components/files.tsx';
export type { Attachment } from './components/files.tsx';
export { KeptFiles, sendEach, useHeldFiles, useUploads } from './components/uploads.tsx';
export type { KeptFile } from './components/uploads.tsx';
export type { BodySchema, FieldInfo, Fields } from './fields.ts';
export { changedIn, editsOf, rawLines, valuesOf } from './fields.ts';
export { FormRows } from './form/form-rows.tsx';
export { CheckField, Field, Form, rawText, SelectField, SelectSeveralField, TextField, texts } from './form/form.tsx';
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
export { columnsOf } from './generic/generic-parts.tsx';
export { Icon } from './components/icon.tsx';
export type { IconName } from './components/icons.ts';
export { ImportHistory } from './import/import-history.tsx';
export { ImportPage } from './import/import-page.tsx';
export { InvitedPeople, InviteImported } from './components/invited-people.tsx';
export { keyName, useKeys } from './shell/keys.tsx';
export type { Key } from './shell/keys.tsx';
export { Line, Lines } from './list/lines.tsx';
export { Filter, ListPage, SearchField, usePageTitle } from './list/list-page.tsx';
export { useChanges, useLive, usePresent, usePresentIn } from './request/live.ts';
export { useMeasured, useOffer } from './measured.ts';
export { useNarrow } from './media.ts';
export { useNow } from './now.ts';
export { Dialog, Menu } from './components/menu.tsx';
export type { Choice } from './components/menu.tsx';
export { useShowMore } from './list/show-more.tsx';
export { answered, firstRows, useAllRows, useFirstRows, usePages, useRows, useTotal } from './list/pages.ts';
export type { Rows } from './list/pages.ts';
export { openPalette } from './shell/palette.tsx';
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
} from './components/parts.tsx';
export type { Tone } from './components/parts.tsx';
export { MailPreview } from './components/mail-preview.tsx';
export { Piece, Slot } from './shell/piece.tsx';
export { place } from './shell/place.ts';
export { changePreferences, usePreferences } from './shell/preferences.ts';
export type { Preferences } from './shell/preferences.ts';
export { usePluginColumns } from './list/plugin-columns.tsx';
export { pickerOf } from './form/picker-of.ts';
export { RecordField, RecordName } from './form/record-field.tsx';
export { RecordsField } from './form/records-field.tsx';
export type { Picked } from './form/record-field.tsx';
export { RecordPage, RecordPending, Section, Sheet, Tabs } from './components/record-page.tsx';
export type { Tab } from './components/record-page.tsx';
export { monthName, ReportCell } from './components/report-cell.tsx';
export { Refused } from './request/refused.ts';
export { rich } from './components/rich.tsx';
export { useRested } from './rested.ts';
export { RichText } from './components/rich-text.tsx';
export { SchemaFields } from './form/schema-fields.tsx';
export { PortalAccess } from './components/portal-access.tsx';
export { Secret } from './components/secret.tsx';
export { useMay, useRecordLink, useSession } from './shell/session.tsx';
export type { Session } from './shell/session.tsx';
export { useRewrite } from './request/rewrite.ts';
export { useFinish } from './form/finish.ts';
export { useShown } from './shown.ts';
export { Loaded } from './list/loaded.tsx';
export { SimpleTable } from './list/simple-table.tsx';
export { Table } from './list/table.tsx';
export type { Column, Sorting } from './list/table.tsx';
export { Timeline } from './list/timeline.tsx';
export type { TimelineRow } from './list/timeline.tsx';
export { toast, toastError } from './components/toast.tsx';
export { toneOf, Value } from './components/value.tsx';
export { chosenLanguage, language, languageChoices, locale, t, withinSentence } from './shell/words.ts';
export { useGo } from './shell/go.tsx';
export { Link, useLocation, useSearchParams } from 'wouter';
