// The part of a report's source (report/source.ts) that plugins and their check need.
export interface DeclaredSource {
  readonly surface: 'admin' | 'helpdesk';
  /** `tickets`: unique on its surface. */
  readonly name: string;
  readonly title: string;
}
