/** The security headers of every page. */
import { contentPolicy, FRAGMENT_POLICY, PERMISSIONS } from './content-policy.ts'

/**
 * Allows HSTS only for the owner's certificate on the default port: the header would also send every other port of the host to
 * https, and it would lock an owner out whose local certificate is no longer trusted.
 */
export const mayUseHsts = (config: { tlsCert: string | null; publicUrl: string | null }): boolean =>
  config.tlsCert !== null && config.publicUrl !== null && new URL(config.publicUrl).port === ''

/** @param nonce Null for what is no page, such as the fragments that Next fetches. */
export type PageHeadersFunction = (
  path: string | null,
  nonce: string | null,
) => Readonly<Record<string, string>>

/** A panel's page has its own policy, so that the browser gives it its own process, whoever opened it (W1). */
const openerPolicyOf = (path: string | null): string =>
  path !== null && /^\/d\/[^/]+\/p\//.test(path) ? 'same-origin' : 'same-origin-allow-popups'

/** Other sites' pages get no images or scripts of ours: what is not in their process cannot be read from it. */
export const sameOriginHeaders = { 'cross-origin-resource-policy': 'same-origin' } as const

export const createPageHeaders =
  ({ hsts, dev }: { hsts: boolean; dev: boolean }): PageHeadersFunction =>
  (path, nonce) => ({
    'x-content-type-options': 'nosniff',
    // Share links carry their token in the fragment, which no referrer contains; a document's id is private, too.
    'referrer-policy': 'strict-origin',
    'content-security-policy': nonce === null ? FRAGMENT_POLICY : contentPolicy({ nonce, dev }),
    'permissions-policy': PERMISSIONS,
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': openerPolicyOf(path),
    ...sameOriginHeaders,
    ...(hsts ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  })
