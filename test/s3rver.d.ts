// Types for the parts that test/core/s3-server.test.ts uses; the package ships none.
declare module 's3rver' {
  export default class S3rver {
    constructor(options: {
      port: number;
      address: string;
      silent: boolean;
      directory: string;
      configureBuckets: readonly { readonly name: string }[];
    });
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
