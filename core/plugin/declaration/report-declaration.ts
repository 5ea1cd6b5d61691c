// The part of a report source (record/report/report-source.ts) that plugins and their validation need.
export interface DeclaredSource {
  readonly surface: 'admin' | 'helpdesk';
  /** Unique on its surface: `tickets`. */
  readonly name: string;
  readonly title: string;
}
