/** Headers of every page. A full content security policy needs a nonce from the page itself. */

/**
 * Only the own certificate on the default port earns HSTS: the header would also send every other port of the host to https, and
 * a local certificate that is not trusted any more would lock its owner out.
 */
export const earnsHsts = (config: { tlsCert: string | null; publicUrl: string | null }): boolean =>
  config.tlsCert !== null && config.publicUrl !== null && new URL(config.publicUrl).port === ''

export type PageHeaders = (path: string | null) => Readonly<Record<string, string>>

/** A panel's page has a policy that no other has, so that the browser gives it a process of its own, whoever opened it (W1). */
const openerPolicyOf = (path: string | null): string =>
  path !== null && /^\/d\/[^/]+\/p\//.test(path) ? 'same-origin' : 'same-origin-allow-popups'

export const securityHeaders =
  (hsts: boolean): PageHeaders =>
  (path) => ({
    'x-content-type-options': 'nosniff',
    // Links carry their token in the fragment, which no referrer has; a document's id is nobody else's business either.
    'referrer-policy': 'strict-origin',
    'content-security-policy': "frame-ancestors 'none'",
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': openerPolicyOf(path),
    ...(hsts ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  })
