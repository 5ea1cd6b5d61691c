// Extracts files from winmail.dat, which Outlook sends instead of attachments in its own format (TNEF, MS-OXTNEF).

const SIGNATURE = 0x22_3e_9f_78;
const HEAD = 6;
/** Length of an attribute's header: level, id and length. A checksum follows the data. */
const ATTRIBUTE = 9;
const CHECKSUM = 2;
const MOST_FILES = 1000;
const ATTACHMENT = 2;
const attributes = { begin: 0x00_06_90_02, title: 0x00_01_80_10, data: 0x00_06_80_0f, properties: 0x00_06_90_05 };
/** PidTagAttachLongFilename, as Unicode and as a byte string. */
const LONG_NAMES: readonly number[] = [0x37_07_00_1f, 0x37_07_00_1e];

export interface TnefFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Returns the files; undefined if the bytes are not TNEF or are damaged. */
export function filesOfTnef(given: Uint8Array): TnefFile[] | undefined {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  if (bytes.length < HEAD || bytes.readUInt32LE(0) !== SIGNATURE) return undefined;
  const files: { name: string; bytes: Uint8Array | undefined }[] = [];
  for (let at = HEAD; at < bytes.length;) {
    if (at + ATTRIBUTE > bytes.length) return undefined;
    const [level, id, length] = [bytes[at], bytes.readUInt32LE(at + 1), bytes.readUInt32LE(at + 5)];
    const end = at + ATTRIBUTE + length;
    if (end + CHECKSUM > bytes.length) return undefined;
    const data = bytes.subarray(at + ATTRIBUTE, end);
    at = end + CHECKSUM;
    if (level !== ATTACHMENT) continue;
    if (id === attributes.begin && files.push({ name: '', bytes: undefined }) > MOST_FILES) return undefined;
    const file = files.at(-1);
    if (!file) continue;
    if (id === attributes.title) file.name ||= textOf(data, 'latin1');
    if (id === attributes.data) file.bytes = data;
    if (id === attributes.properties) file.name = longNameIn(data) ?? file.name;
  }
  const whole = files.flatMap(({ name, bytes: content }) => (content ? [{ name, bytes: content }] : []));
  // Keep the file itself if it contains an attachment of another kind, such as a mail.
  return whole.length === files.length ? whole : undefined;
}

const textOf = (data: Buffer, encoding: 'latin1' | 'utf16le'): string => data.toString(encoding).split('\0')[0] ?? '';

/** Looks for the long name: tag, count of values (1), length, text. Other properties are ignored. */
function longNameIn(data: Buffer): string | undefined {
  for (const tag of LONG_NAMES) {
    const wanted = Buffer.alloc(8);
    wanted.writeUInt32LE(tag, 0);
    wanted.writeUInt32LE(1, 4);
    const at = data.indexOf(wanted);
    if (at < 0 || at + 12 > data.length) continue;
    const length = data.readUInt32LE(at + 8);
    const name = textOf(data.subarray(at + 12, at + 12 + length), tag === LONG_NAMES[0] ? 'utf16le' : 'latin1');
    if (name !== '') return name;
  }
  return undefined;
}
