/** The nonce of this page (server/content-policy.ts), for libraries that add a style sheet to it. Only in a browser. */
export const pageNonce = (): string | undefined =>
  document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce
