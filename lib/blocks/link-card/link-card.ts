/** An address as a card, with a title that a person writes: nothing is fetched from there. */
import { safeHref } from '../../text/link-address.ts'
import type { NodeDefinition, StoredAttributes } from '../definitions.ts'

const MAX_ADDRESS_LENGTH = 2_048

/** '' for what no browser may be given as an address. */
export const cardAddressOf = ({ href }: StoredAttributes): string => {
  const safe = typeof href === 'string' && href.length <= MAX_ADDRESS_LENGTH ? safeHref(href) : null
  return safe?.replaceAll(/\s/g, '') ?? ''
}

const MAX_HOST_LENGTH = 50

/** Where a link leads. Of a long name the end is shown, since that says whose it is. */
export function hostOf(address: string): string {
  const url = URL.parse(address)
  const host = url?.host || url?.pathname || address
  return host.length > MAX_HOST_LENGTH ? `…${host.slice(-MAX_HOST_LENGTH)}` : host
}

export const linkCard: NodeDefinition = {
  name: 'linkCard',
  schema: {
    content: 'caption',
    group: 'block',
    defining: true,
    isolating: true,
    attrs: { href: { default: '' } },
    parseDOM: [
      {
        tag: 'div[data-link-card]',
        contentElement: (card) => card.querySelector('.link-card-title') ?? card,
        getAttrs: (card) => ({
          href: cardAddressOf({ href: card.querySelector('a')?.getAttribute('href') }),
        }),
      },
    ],
    toDOM: ({ attrs }) => [
      'div',
      { 'data-link-card': '' },
      ['div', { class: 'link-card-title' }, 0],
      ...(cardAddressOf(attrs) === '' ? [] : [['a', linkFieldsOf(cardAddressOf(attrs))]]),
    ],
  },
  strings: { kind: () => 'link card' },
  sign: () => '↗',
}

/** Its words are drawn, so that they are no letters of the text. */
const linkFieldsOf = (href: string) => ({
  href,
  target: '_blank',
  rel: 'noopener noreferrer nofollow',
  'data-label': hostOf(href),
  'aria-label': hostOf(href),
})
