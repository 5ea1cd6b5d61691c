// What load.ts uses of it: the package has no types of its own.
declare module 'autocannon' {
  interface Result {
    readonly errors: number;
    readonly non2xx: number;
    /** Seconds. */
    readonly duration: number;
  }
  interface Running extends PromiseLike<Result> {
    on(event: 'response', listener: (client: unknown, status: number, bytes: number, ms: number) => void): this;
  }
  export default function autocannon(options: object): Running;
}
