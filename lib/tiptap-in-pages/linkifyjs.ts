/**
 * Stands in for `linkifyjs` in pages. Most of the original is the list of top-level domains: it is loaded when a text first gets the
 * focus. Until then addresses are found that name their protocol, and no others.
 */
import type * as Linkify from 'linkifyjs'

/** What Tiptap's link extension reads of a token. */
interface FoundAddress {
  readonly type: string
  readonly value: string
  readonly href: string
  readonly isLink: boolean
  readonly start: number
  readonly end: number
}

interface Token {
  toObject(defaultProtocol?: string): FoundAddress
}

type FindOptions = Parameters<typeof Linkify.find>[1]

let linkify: Pick<typeof Linkify, 'find' | 'tokenize'> | undefined

/** Where it does not load, it is requested again with the next focus. */
export const loadLinkify = (): Promise<void> =>
  import('linkifyjs/dist/linkify.mjs').then(
    (loaded) => {
      linkify = loaded
    },
    () => undefined,
  )

/** Punctuation at the end belongs to the sentence. */
const address = /\bhttps?:\/\/[^\s<>"]*[^\s<>"'.,:;!?()[\]{}]/gi

export const find = (text: string, options?: FindOptions): readonly FoundAddress[] =>
  linkify ? linkify.find(text, options) : findWithProtocol(text)

export function tokenize(word: string): readonly Token[] {
  if (linkify) return linkify.tokenize(word)
  const [found] = findWithProtocol(word)
  const token = found?.value === word ? found : { ...describe(word, 0), isLink: false }
  return [{ toObject: () => token }]
}

const findWithProtocol = (text: string): FoundAddress[] =>
  [...text.matchAll(address)].map(({ 0: value, index }) => describe(value, index))

const describe = (value: string, start: number): FoundAddress => ({
  type: 'url',
  value,
  href: value,
  isLink: true,
  start,
  end: start + value.length,
})

/** This editor registers no protocols. */
export const registerCustomProtocol = (): void => {}

export const reset = (): void => {}
