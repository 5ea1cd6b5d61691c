// Words for bulk data: identical in every run, so that measurements are comparable.

/** Returns a pseudo-random number generator for the range from 0 up to 1 (mulberry32). */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(next: () => number, from: readonly [T, ...T[]]): T {
  return from[Math.floor(next() * from.length)] ?? from[0];
}

export const firstNames = ['Ada', 'Ben', 'Carla', 'Deniz', 'Emil', 'Fatma', 'Georg', 'Hana', 'Ivan', 'Julia'] as const;
export const lastNames = ['Arslan', 'Berg', 'Costa', 'Dvorak', 'Eriksen', 'Fischer', 'García', 'Huang'] as const;
export const places = ['Harbour', 'Summit', 'River', 'Cedar', 'Beacon', 'Granite', 'Meadow', 'Orchard'] as const;
export const trades = ['Logistics', 'Dental', 'Legal', 'Bakery', 'Motors', 'Foods', 'Design', 'Textiles'] as const;
export const cities = ['Hamburg', 'Portland', 'Leeds', 'Turin', 'Porto', 'Izmir', 'Ghent', 'Oslo'] as const;

const things = [
  'Printer',
  'Laptop',
  'Mailbox',
  'VPN',
  'Scanner',
  'Screen',
  'Phone',
  'Backup',
  'Server',
  'Wi-Fi',
] as const;
const problems = [
  'does not start',
  'is slow since the update',
  'shows an error',
  'loses its connection',
  'asks for a password again and again',
  'makes a strange noise',
  'needs to be replaced',
  'cannot be found in the network',
] as const;
const details = [
  'It began on Monday morning and affects everyone on the second floor, several times a day.',
  'We have restarted it twice and pulled the cable, which helped for about an hour each time.',
  'The message says that the device is in use by another program, but no one else is signed in.',
  'A colleague had the same last month; it was solved remotely, but I don’t know how.',
  "We need it for the month's end, so please call the front desk before you come.",
  'Nothing was installed or changed as far as we know, except for the usual updates at night.',
  'The old one from the store room works, so it is not the socket and not the network either.',
  "Photos of the screen are on the shared drive in the folder with today's date.",
] as const;

export function subject(next: () => number): string {
  return `${pick(next, things)} ${pick(next, problems)}`;
}

/** Returns about half a kilobyte of text. */
export function description(next: () => number): string {
  const start = Math.floor(next() * details.length);
  const sentences = Array.from({ length: 6 }, (_, i) => details[(start + i) % details.length]);
  return `${subject(next)}. ${sentences.join(' ')}`;
}
