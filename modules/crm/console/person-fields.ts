/** The fields of the forms that create and change a person. */
export const personFields: readonly string[] = [
  'first_name',
  'last_name',
  'prospect_id',
  'email',
  'phone',
  'mobile',
  'title',
  'company_name',
  'tags',
  'assigned_to',
];
