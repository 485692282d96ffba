/** What a person types as a link's address. Script never passes: only these schemes do. */
const schemes = ['http:', 'https:', 'mailto:', 'tel:']

const hasScheme = (address: string) =>
  /^[a-z][a-z0-9+.-]*:/i.test(address) && !/^[^/:]+:\d+(\/|$)/.test(address)

/** `example.org` means `https://example.org`; an address within this site, or with a scheme, stays as it is. */
export const withScheme = (address: string): string =>
  hasScheme(address) || /^[/#]/.test(address) ? address : `https://${address}`

/** A sentence, or null when the address will do. */
export function linkProblem(address: string): string | null {
  if (!address) return 'Type an address.'
  const url = URL.parse(withScheme(address), 'https://here.invalid')
  if (!url) return 'That is not an address.'
  return schemes.includes(url.protocol)
    ? null
    : `Links can begin with http, https, mailto or tel, not with ${url.protocol}`
}
