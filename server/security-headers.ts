/** Headers of every page. */
import { contentPolicy, FRAGMENT_POLICY, PERMISSIONS } from './content-policy.ts'

/**
 * Only the own certificate on the default port earns HSTS: the header would also send every other port of the host to https, and
 * a local certificate that is not trusted any more would lock its owner out.
 */
export const mayUseHsts = (config: { tlsCert: string | null; publicUrl: string | null }): boolean =>
  config.tlsCert !== null && config.publicUrl !== null && new URL(config.publicUrl).port === ''

/** @param nonce Null for what is no page, as the fragments that Next fetches. */
export type PageHeadersFunction = (
  path: string | null,
  nonce: string | null,
) => Readonly<Record<string, string>>

/** A panel's page has a policy that no other has, so that the browser gives it a process of its own, whoever opened it (W1). */
const openerPolicyOf = (path: string | null): string =>
  path !== null && /^\/d\/[^/]+\/p\//.test(path) ? 'same-origin' : 'same-origin-allow-popups'

/** Neither images nor scripts of ours are for other sites' pages: what is not in their process cannot be read from it. */
export const sameOriginHeaders = { 'cross-origin-resource-policy': 'same-origin' } as const

export const createPageHeaders =
  ({ hsts, dev }: { hsts: boolean; dev: boolean }): PageHeadersFunction =>
  (path, nonce) => ({
    'x-content-type-options': 'nosniff',
    // Links carry their token in the fragment, which no referrer has; a document's id is nobody else's business either.
    'referrer-policy': 'strict-origin',
    'content-security-policy': nonce === null ? FRAGMENT_POLICY : contentPolicy({ nonce, dev }),
    'permissions-policy': PERMISSIONS,
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': openerPolicyOf(path),
    ...sameOriginHeaders,
    ...(hsts ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  })
