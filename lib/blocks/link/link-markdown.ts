import { isFullAddress, safeHref } from '../../text/link-address.ts'
import type { MarkMarkdown } from '../markdown-types.ts'

export const linkMarkdown: MarkMarkdown = {
  // A browser reads an address in this way.
  keyOf: ({ href }) =>
    safeHref(href)
      ?.replaceAll(/[\t\n\r]/g, '')
      .trim() ?? null,
  wrap: (children, url) => [{ type: 'link', url, children }],
  read: {
    link: ({ url }) => linkTo(url),
    linkReference: ({ identifier }, reader) => linkTo(reader.addressOf(identifier)),
  },
}

const linkTo = (href: string) => (isFullAddress(href) ? { href } : null)
