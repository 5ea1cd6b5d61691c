/** Type of body schema imports: `import schema from 'schema:POST /companies.php'`. */
declare module 'schema:*' {
  const schema: import('./fields.ts').BodySchema;
  export default schema;
}

/** Adds German to the library. */
declare module 'cronstrue/locales/de';
