import type { NodeDefinition } from '../definitions.ts'
import { ownDirection } from '../own-direction.ts'
import { calloutKindNamed, calloutKindOf, calloutNames } from './callout-kinds.ts'

/** Its rule comes before that for quotes. */
const BEFORE_QUOTES = 51

export const callout: NodeDefinition = {
  name: 'callout',
  schema: {
    content: 'block+',
    group: 'block',
    defining: true,
    attrs: { kind: { default: 'note' } },
    parseDOM: [
      {
        tag: 'blockquote[data-callout]',
        priority: BEFORE_QUOTES,
        getAttrs: (quote) => ({ kind: calloutKindOf({ kind: quote.getAttribute('data-callout') }) }),
      },
      { tag: 'div.markdown-alert', getAttrs: (alert) => ({ kind: kindOnGitHub(alert) }) },
      { tag: 'p.markdown-alert-title', priority: BEFORE_QUOTES, ignore: true },
    ],
    // A program that does not know it reads a quote.
    toDOM({ attrs }) {
      const kind = calloutKindOf(attrs)
      return [
        'blockquote',
        { ...ownDirection, role: 'note', 'data-callout': kind, 'data-label': calloutNames[kind] },
        0,
      ]
    },
  },
  strings: {
    kind: (attributes) => `callout: ${calloutNames[calloutKindOf(attributes)].toLowerCase()}`,
    name: 'Callout',
  },
  sign: () => '❢',
}

/** GitHub's pages name the kind in a class. */
function kindOnGitHub({ className }: HTMLElement) {
  const word = /\bmarkdown-alert-(\w+)/.exec(className)?.[1] ?? ''
  return calloutKindNamed(word) ?? 'note'
}
