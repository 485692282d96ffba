import { safeHref } from '../../text/link-address.ts'
import type { MarkDefinition } from '../definitions.ts'

export const link: MarkDefinition = {
  name: 'link',
  schema: {
    // Text typed right after a link is not part of it.
    inclusive: false,
    attrs: { href: { default: null } },
    parseDOM: [
      {
        tag: 'a[href]',
        getAttrs: (element) => {
          const href = element.getAttribute('href')
          return safeHref(href) !== null && { href }
        },
      },
    ],
    toDOM({ attrs }) {
      const href = safeHref(attrs.href)
      return href ? ['a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, 0] : ['span', 0]
    },
  },
  strings: { kind: 'a link', name: 'Link' },
}
