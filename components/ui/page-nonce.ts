/** The nonce of this page (server/content-policy.ts), for libraries that write a style sheet into it. In a browser only. */
export const pageNonce = (): string | undefined =>
  document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce
