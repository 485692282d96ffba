/** Handles addresses of links, as a person types them and as others left them in the text. Script never passes: only these schemes do. */
import { linkProblemsStrings } from '../strings/link-problems.ts'

const allowedSchemes = ['http:', 'https:', 'mailto:', 'tel:']

/** Resolves an address without a scheme: like every page of this site, it is http of some kind. */
const baseAddress = 'https://here.invalid'

const hasScheme = (address: string) =>
  /^[a-z][a-z0-9+.-]*:/i.test(address) && !/^[^/:]+:\d+(\/|$)/.test(address)

/** `example.org` means `https://example.org`; an address within this site, or with a scheme, stays as it is. */
export const withScheme = (address: string): string =>
  hasScheme(address) || /^[/#]/.test(address) ? address : `https://${address}`

/** Returns a sentence for a person, or null for a valid address. */
export function linkProblem(address: string): string | null {
  if (!address) return linkProblemsStrings.empty
  const url = URL.parse(withScheme(address), baseAddress)
  if (!url) return linkProblemsStrings.invalid
  return allowedSchemes.includes(url.protocol) ? null : linkProblemsStrings.scheme(url.protocol)
}

/**
 * Returns the same text when a browser may be given it as an address, else null. Anything in a shared text may be passed here. The
 * browser's own parser reads it, because that drops tabs, line ends and leading spaces: `java\nscript:` is script.
 */
export function safeHref(text: unknown): string | null {
  if (typeof text !== 'string' || text.trim() === '') return null
  const url = URL.parse(text, baseAddress)
  return url && allowedSchemes.includes(url.protocol) ? text : null
}

/**
 * An address of a page or a mailbox, with its scheme: only these make a link from Markdown. `a[i](j)` is code, and `j` is not an address.
 */
export const isFullAddress = (address: string): boolean =>
  /^(?:https?:\/\/|mailto:)./i.test(address) && safeHref(address) !== null
