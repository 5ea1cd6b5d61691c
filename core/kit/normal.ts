/** A name or address as look-ups compare it: NFKC, without outer blanks, lower-case (M10). */
export function normalised(value: string): string {
  return value.normalize('NFKC').trim().toLowerCase();
}
