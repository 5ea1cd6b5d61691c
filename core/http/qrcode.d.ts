// What qr.ts uses of it: the package has no types of its own.
declare module 'qrcode' {
  const qrcode: {
    toString(
      text: string,
      options: { type: 'svg'; margin: number; errorCorrectionLevel: 'L' | 'M' | 'Q' | 'H' },
    ): Promise<string>;
  };
  export default qrcode;
}
