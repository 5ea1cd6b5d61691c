// TypeORM's data source, which can reuse the entity metadata of another one.
import { DataSource, type DataSourceOptions } from 'typeorm';

/**
 * A data source. Building the metadata of 200 tables takes 35 ms and several megabytes, so a second source with the same
 * tables and type of database reuses that of `described`, which may be closed. Lazy relations would read through
 * `described`, so both must be of the same database, except in tests.
 */
export class Source extends DataSource {
  readonly #described: DataSource | undefined;
  constructor(options: DataSourceOptions, described: DataSource | undefined) {
    super(options);
    this.#described = described;
  }

  protected override async buildMetadatas(): Promise<void> {
    if (!this.#described) return super.buildMetadatas();
    const { entityMetadatas, entityMetadatasMap } = this.#described;
    Object.assign(this, { entityMetadatas, entityMetadatasMap, subscribers: [], migrations: [] });
  }
}
